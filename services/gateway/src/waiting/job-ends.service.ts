// Waits until a job or a batch has ended, for requests with `wait`. An event of an ended job wakes the request, and the request reads the state again.
// Events can be lost, so each request also polls the state. The process subscribes to events only while requests wait.
import { CodedError, jobsEvents, type CloudEvent } from '@kiln/contracts';
import type { EventListener } from '@kiln/platform';
import { pause } from '@kiln/resilience';

/** Each request holds a connection and little else. */
const WAITING_MAX = 2_000;
const WAITING_OF_TENANT_MAX = 200;
const SAFETY_POLL_MS = 2_000;
/** The longest time to wait for the subscription. */
const SUBSCRIBE_MS = 1_000;

const ENDS = [
  jobsEvents.processingCompleted,
  jobsEvents.processingFailed,
  jobsEvents.jobFailed,
  jobsEvents.jobCancelled,
];

export interface AwaitedState<State> {
  tenantId: string;
  /** Null: any job of the tenant can change the state. */
  jobId: string | null;
  read: () => Promise<State>;
  isEnded: (state: State) => boolean;
  waitSeconds: number;
  /** The shortest time before the second read. It doubles with each read, up to the interval of the poll. */
  paceMs: number;
  /** Aborts when the caller leaves. */
  left: AbortSignal;
}

interface Waiter {
  tenantId: string;
  jobId: string | null;
  wake: () => void;
}

export class JobEnds {
  private readonly waiters = new Set<Waiter>();
  private readonly perTenant = new Map<string, number>();
  private listening: Promise<() => void> | null = null;
  private isStopping = false;

  constructor(
    private readonly events: Pick<EventListener, 'listen'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Returns the state when it has ended, or as it is after `waitSeconds`, when the process stops, or at once when too many requests wait. Throws
   * what `read` throws, and the reason of `left`. UNAVAILABLE is thrown by the first and the last read only.
   */
  async stateOf<State>(awaited: AwaitedState<State>): Promise<State> {
    const until = this.now() + awaited.waitSeconds * 1_000;
    const state = await awaited.read();
    if (awaited.waitSeconds === 0 || awaited.isEnded(state) || !this.hasRoom(awaited.tenantId)) return state;
    const waiter = this.join(awaited);
    try {
      await sleep(SUBSCRIBE_MS, awaited.left, this.subscribe());
      return await this.follow(awaited, waiter, until);
    } finally {
      this.leave(waiter);
    }
  }

  /** Requests that wait are answered with the state as it is. */
  stop(): void {
    this.isStopping = true;
    for (const { wake } of this.waiters) wake();
  }

  private async follow<State>(awaited: AwaitedState<State>, waiter: Waiter, until: number): Promise<State> {
    const { read, isEnded, left } = awaited;
    for (let { paceMs } = awaited; ; paceMs = Math.min(paceMs * 2, SAFETY_POLL_MS)) {
      const woken = new Promise<void>((resolve) => (waiter.wake = resolve));
      const isLast = () => this.isStopping || this.now() >= until;
      const state = await readUnlessAway(read, isLast);
      if (state !== null && (isEnded(state) || isLast())) return state;
      const leftMs = Math.max(0, Math.ceil(until - this.now()));
      await sleep(Math.min(paceMs, leftMs), left);
      await sleep(Math.min(SAFETY_POLL_MS, leftMs), left, woken);
    }
  }

  private hasRoom(tenantId: string): boolean {
    return (
      !this.isStopping && this.waiters.size < WAITING_MAX && (this.perTenant.get(tenantId) ?? 0) < WAITING_OF_TENANT_MAX
    );
  }

  private join({ tenantId, jobId }: Pick<Waiter, 'tenantId' | 'jobId'>): Waiter {
    const waiter: Waiter = { tenantId, jobId, wake: () => undefined };
    this.waiters.add(waiter);
    this.perTenant.set(tenantId, (this.perTenant.get(tenantId) ?? 0) + 1);
    return waiter;
  }

  private leave(waiter: Waiter): void {
    this.waiters.delete(waiter);
    const others = (this.perTenant.get(waiter.tenantId) ?? 0) - 1;
    if (others > 0) this.perTenant.set(waiter.tenantId, others);
    else this.perTenant.delete(waiter.tenantId);
    if (this.waiters.size > 0) return;
    const { listening } = this;
    this.listening = null;
    listening?.then(
      (end) => end(),
      () => undefined,
    );
  }

  /** Does not reject: without the broker, the safety poll finds the end. */
  private async subscribe(): Promise<void> {
    const listening = (this.listening ??= this.events.listen(ENDS, (event) => this.wake(event)));
    await listening.catch(() => {
      if (this.listening === listening) this.listening = null;
    });
  }

  private wake({ tenantid: tenantId, data }: CloudEvent): void {
    const jobId = typeof data === 'object' && data !== null && 'job_id' in data ? data.job_id : null;
    for (const waiter of this.waiters)
      if (waiter.tenantId === tenantId && (waiter.jobId === null || waiter.jobId === jobId)) waiter.wake();
  }
}

/** Returns null while the service that owns the state is unavailable. Throws what the last read throws. */
async function readUnlessAway<State>(read: () => Promise<State>, isLast: () => boolean): Promise<State | null> {
  try {
    return await read();
  } catch (error) {
    if (isLast() || !(error instanceof CodedError && error.code === 'UNAVAILABLE')) throw error;
    return null;
  }
}

/** Resolves after the time, or earlier when it is woken. Throws the reason of an abort. */
const sleep = (milliseconds: number, left: AbortSignal, woken?: Promise<void>): Promise<void> =>
  woken ? Promise.race([pause(milliseconds, left), woken]) : pause(milliseconds, left);
