// Keeps a service that does not answer from tying up those who call it, and one tenant from taking all the calls that may wait.
// Only calls without any answer count: an error reply is an answer. After some of them in a row the service is pinged; while
// pings stay unanswered too, its calls are refused at once. So nothing that a caller sends or makes slow stops the calls of others.
import { CodedError, unavailable } from '@kiln/contracts';
import { Counter, Gauge } from 'prom-client';
import { setTimeout as delay } from 'node:timers/promises';
import type { Metrics } from '../observability/metrics.js';
import { NoReplyError, NoResponderError } from './requester.js';
import type { ServicePing } from './service-ping.js';
import { SharedPlaces } from './shared-places.js';

export interface CircuitOptions {
  /** Calls in a row without an answer after which the service is pinged. Default 5. */
  failuresMax?: number;
  /** Between two pings of a service that did not answer one. Default 1,000. */
  pingPauseMs?: number;
  /** Calls under way to one service, of which one tenant has half at most. Default 512: at 50 ms a call, 10,000 calls a second. */
  inFlightMax?: number;
}

/** Why a call was not even sent; `cause` of the error that the caller gets. */
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
    if (this.isOpen) throw unavailable(`The ${this.service} service`, new NotSentError('its circuit is open'));
    const refusal = this.places.take(tenantId);
    const cause = new NotSentError('too many calls wait for it');
    if (refusal === 'all') throw unavailable(`The ${this.service} service`, cause);
    if (refusal === 'tenant') {
      const message = 'Too many of your requests wait for an answer. Retry when some of them have ended.';
      throw new CodedError('RATE_LIMITED', message, { retryAfterSeconds: 1, cause });
    }
  }

  private answered(): void {
    this.unansweredInARow = 0;
    this.answeredAt = this.now();
  }

  /** A call without an answer while others were answered is the fault of one process or one call, not of the service. */
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

/** Whether it is certain that no process received a call that ended with this error. */
export function isUnheard(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof NotSentError || cause instanceof NoResponderError;
}

const STATE_VALUES: Record<CircuitState, number> = { closed: 0, open: 1 };

/** One circuit for each service that is called. */
export class Circuits {
  private readonly circuits = new Map<string, Circuit>();
  private readonly options: Required<CircuitOptions>;
  private readonly refused: Counter<'service'>;

  constructor(
    metrics: Pick<Metrics, 'registry'>,
    private readonly ping: Pick<ServicePing, 'isAnswered'>,
    options: CircuitOptions = {},
  ) {
    this.options = { failuresMax: 5, pingPauseMs: 1_000, inFlightMax: 512, ...options };
    const { circuits } = this;
    const registers = [metrics.registry];
    this.refused = new Counter({
      name: 'kiln_circuit_refused_total',
      help: 'Calls that were not sent because the service did not answer, or too many calls waited for it',
      labelNames: ['service'],
      registers,
    });
    const states: Gauge<'service'> = new Gauge({
      name: 'kiln_circuit_state',
      help: 'State of the circuit to a service: 0 closed, 1 open',
      labelNames: ['service'],
      registers,
      collect() {
        for (const [service, circuit] of circuits) states.set({ service }, STATE_VALUES[circuit.state]);
      },
    });
  }

  async run<Result>(service: string, tenantId: string, send: () => Promise<Result>): Promise<Result> {
    try {
      return await this.of(service).run(tenantId, send);
    } catch (error) {
      if (causeOf(error) instanceof NotSentError) this.refused.inc({ service });
      throw error;
    }
  }

  private of(service: string): Circuit {
    let circuit = this.circuits.get(service);
    if (!circuit) this.circuits.set(service, (circuit = new Circuit(service, this.options, this.ping)));
    return circuit;
  }
}
