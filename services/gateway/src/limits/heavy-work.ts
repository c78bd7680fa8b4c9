// Requests that cost far more than others wait for a place among those of their tenant, so that a flood of them delays the others little:
// long bodies, many rows, long queries. All other requests pass at once.
import { CodedError } from '@kiln/contracts';
import { SharedPlaces } from '@kiln/platform';
import type { IncomingMessage } from 'node:http';

/** One unit is about the work of an ordinary request. The heaviest request has 64, and one tenant alone gets one such at a time. */
const UNITS_MAX = 160;
const REQUEST_UNITS_MAX = 64;
const BYTES_PER_UNIT = 16 * 1_024;
const WAIT_MS = 10_000;
/** Requests of one tenant that wait. */
const WAITING_MAX = 200;

interface Waiting {
  units: number;
  begin: () => void;
}

export interface HeavyRequest {
  tenantId: string;
  units: number;
  /** Aborted when the caller leaves. */
  left: () => AbortSignal;
}

/** The units of a JSON body, which is not read before its request has its place. 0 for a short one. */
export function unitsOfBody({ headers }: Pick<IncomingMessage, 'headers'>): number {
  const length = headers['content-encoding'] === undefined ? headers['content-length'] : undefined;
  if (length !== undefined) return Math.min(REQUEST_UNITS_MAX, Math.floor(Number(length) / BYTES_PER_UNIT));
  return headers['transfer-encoding'] === undefined && headers['content-length'] === undefined ? 0 : REQUEST_UNITS_MAX;
}

export class HeavyWork {
  private readonly places = new SharedPlaces(UNITS_MAX);
  private readonly waiting = new Map<string, Waiting[]>();

  /** Runs `work` when there is a place for it. Throws RATE_LIMITED when there is none for 10 s, and the reason of `left`. */
  async run<Result>({ tenantId, units, left }: HeavyRequest, work: () => Promise<Result>): Promise<Result> {
    const taken = Math.min(REQUEST_UNITS_MAX, units);
    if (taken <= 0) return work();
    await this.place(tenantId, taken, left);
    try {
      return await work();
    } finally {
      this.places.release(tenantId, taken);
      this.beginWaiting();
    }
  }

  private async place(tenantId: string, units: number, left: () => AbortSignal): Promise<void> {
    const queue = this.waiting.get(tenantId) ?? [];
    if (queue.length === 0 && this.places.take(tenantId, units) === null) return;
    if (queue.length >= WAITING_MAX) throw tooMuchWork();
    const signal = left();
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const waiting = { units, begin: () => end(resolve) };
      const end = (then: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        this.remove(tenantId, waiting);
        then();
      };
      const leave = (): void => end(() => reject(signal.reason as Error));
      const timer = setTimeout(() => end(() => reject(tooMuchWork())), WAIT_MS);
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.set(tenantId, [...queue, waiting]);
    });
  }

  /** Tenant after tenant, the first request of each, until no more fit: a tenant whose request begins goes to the end of the map. */
  private beginWaiting(): void {
    for (const [tenantId, [first]] of this.waiting) {
      if (first && this.places.take(tenantId, first.units) === null) first.begin();
    }
  }

  private remove(tenantId: string, waiting: Waiting): void {
    const rest = (this.waiting.get(tenantId) ?? []).filter((other) => other !== waiting);
    this.waiting.delete(tenantId);
    if (rest.length > 0) this.waiting.set(tenantId, rest);
  }
}

const tooMuchWork = (): CodedError =>
  new CodedError('RATE_LIMITED', 'Too many of your large requests are waiting. Send fewer of them at a time.', {
    retryAfterSeconds: 5,
  });
