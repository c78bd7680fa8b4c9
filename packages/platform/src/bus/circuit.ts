// A circuit breaker per service. It keeps an unresponsive service from blocking its callers, and one tenant from using up all open
// calls. Only calls without a reply count; an error reply is a reply. After a series of them the service is pinged. While pings
// fail too, calls are rejected at once. A caller cannot open the circuit for others with slow or failing calls.
import { CodedError, unavailable } from '@kiln/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Counter, Metrics } from '../observability/metrics.js';
import { NoReplyError, NoResponderError } from './requester.js';
import type { ServicePing } from './service-ping.js';
import { SharedPlaces } from './shared-places.js';

export interface CircuitOptions {
  /** Calls in a row without a reply, after which the service is pinged. Default 5. */
  failuresMax?: number;
  /** Milliseconds between pings of an unresponsive service. Default 1,000. */
  pingPauseMs?: number;
  /** Open calls per service. One tenant may have at most half. Default 512: at 50 ms per call, 10,000 calls a second. */
  inFlightMax?: number;
}

/** Why a call was not sent. It is the `cause` of the caller's error. */
export class NotSentError extends Error {}

export type CircuitState = 'closed' | 'open';

/** The circuit of one service. */
export class Circuit {
  private unansweredInARow = 0;
  private answeredAt = -Infinity;
  private isOpen = false;
  private isChecking = false;
  private readonly places: SharedPlaces;

  constructor(
    private readonly service: string,
    private readonly options: Required<CircuitOptions>,
    private readonly ping: Pick<ServicePing, 'isAnswered'>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.places = new SharedPlaces(options.inFlightMax);
  }

  get state(): CircuitState {
    return this.isOpen ? 'open' : 'closed';
  }

  /** Throws UNAVAILABLE or RATE_LIMITED with a NotSentError as its cause, or whatever `send` throws. */
  async run<Result>(tenantId: string, send: () => Promise<Result>): Promise<Result> {
    this.admit(tenantId);
    const startedAt = this.now();
    try {
      const result = await send();
      this.answered();
      return result;
    } catch (error) {
      if (causeOf(error) instanceof NoReplyError) this.unanswered(startedAt);
      else if (!isUnheard(error)) this.answered();
      throw error;
    } finally {
      this.places.release(tenantId);
    }
  }

  private admit(tenantId: string): void {
    if (this.isOpen) throw unavailable(`The ${this.service} service`, new NotSentError('the circuit is open'));
    const refusal = this.places.take(tenantId);
    if (refusal === null) return;
    const cause = new NotSentError('too many open calls');
    if (refusal === 'all') throw unavailable(`The ${this.service} service`, cause);
    const message = 'Too many of your requests are waiting for a reply. Retry when some of them have ended.';
    throw new CodedError('RATE_LIMITED', message, { retryAfterSeconds: 1, cause });
  }

  private answered(): void {
    this.unansweredInARow = 0;
    this.answeredAt = this.now();
  }

  /** If others were answered meanwhile, one process or one call is at fault, not the service. */
  private unanswered(startedAt: number): void {
    if (this.answeredAt > startedAt) return;
    this.unansweredInARow++;
    if (this.unansweredInARow >= this.options.failuresMax && !this.isChecking) void this.check();
  }

  private async check(): Promise<void> {
    this.isChecking = true;
    while (!(await this.ping.isAnswered(this.service))) {
      this.isOpen = true;
      await delay(this.options.pingPauseMs, undefined, { ref: false });
    }
    this.isOpen = false;
    this.isChecking = false;
    this.unansweredInARow = 0;
  }
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/** Whether certainly no process received the call that ended with this error. */
export function isUnheard(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof NotSentError || cause instanceof NoResponderError;
}

const STATE_VALUES: Record<CircuitState, number> = { closed: 0, open: 1 };

/** One circuit per called service. */
export class Circuits {
  private readonly circuits = new Map<string, Circuit>();
  private readonly options: Required<CircuitOptions>;
  private readonly refused: Counter<{ service: string }>;

  constructor(
    metrics: Pick<Metrics, 'counter' | 'sampledGauge'>,
    private readonly ping: Pick<ServicePing, 'isAnswered'>,
    options: CircuitOptions = {},
  ) {
    this.options = { failuresMax: 5, pingPauseMs: 1_000, inFlightMax: 512, ...options };
    this.refused = metrics.counter(
      'kiln_circuit_refused_total',
      'Calls that were not sent because the circuit was open or too many calls were open',
      ['service'],
    );
    metrics.sampledGauge('kiln_circuit_state', {
      help: 'State of the circuit to a service: 0 closed, 1 open',
      labelNames: ['service'],
      read: async () =>
        [...this.circuits].map(([service, { state }]) => ({ labels: { service }, value: STATE_VALUES[state] })),
    });
  }

  async run<Result>(service: string, tenantId: string, send: () => Promise<Result>): Promise<Result> {
    try {
      return await this.of(service).run(tenantId, send);
    } catch (error) {
      if (causeOf(error) instanceof NotSentError) this.refused.add(1, { service });
      throw error;
    }
  }

  private of(service: string): Circuit {
    let circuit = this.circuits.get(service);
    if (!circuit) this.circuits.set(service, (circuit = new Circuit(service, this.options, this.ping)));
    return circuit;
  }
}
