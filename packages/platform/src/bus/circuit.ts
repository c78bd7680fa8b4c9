// Keeps a service that does not answer from tying up those who ask it: after a row of failures its calls are refused at
// once for a moment, then one at a time tries whether it is back; and never are more than so many calls under way.
import { CodedError, unavailable } from '@kiln/contracts';
import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '../observability/metrics.js';
import { NoResponderError } from './requester.js';

export interface CircuitOptions {
  /** Failures in a row that open the circuit. Default 5. */
  failuresMax?: number;
  /** How long an open circuit refuses everything before it lets a probe through. Default 1,000. */
  openMs?: number;
  /** Calls under way to one service. Default 256: at 50 ms a call, 5,000 calls a second. */
  inFlightMax?: number;
}

/** Why a call was not even sent; `cause` of the UNAVAILABLE that the caller gets. */
export class NotSentError extends Error {}

export type CircuitState = 'closed' | 'half-open' | 'open';

/** The circuit of one service. */
export class Circuit {
  private failures = 0;
  private openUntil = 0;
  private probing = false;
  private inFlight = 0;
  private answeredAt = -Infinity;

  constructor(
    private readonly service: string,
    private readonly options: Required<CircuitOptions>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get state(): CircuitState {
    if (this.failures < this.options.failuresMax) return 'closed';
    return this.probing || this.now() >= this.openUntil ? 'half-open' : 'open';
  }

  /** Throws UNAVAILABLE with a NotSentError as its cause, or whatever `work` throws. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const probe = this.admit();
    const startedAt = this.now();
    this.inFlight++;
    try {
      const result = await work();
      this.answered();
      return result;
    } catch (error) {
      if (isFailure(error)) this.failed(startedAt, probe);
      else this.answered();
      throw error;
    } finally {
      this.inFlight--;
      if (probe) this.probing = false;
    }
  }

  private admit(): boolean {
    const { state } = this;
    if (state === 'open' || (state === 'half-open' && this.probing)) throw this.refusal('its circuit is open');
    if (this.inFlight >= this.options.inFlightMax) throw this.refusal('too many calls wait for it');
    this.probing = state === 'half-open';
    return this.probing;
  }

  private answered(): void {
    this.failures = 0;
    this.answeredAt = this.now();
  }

  /** A call that failed while others were answered tells of one replica or one question, not of the service. */
  private failed(startedAt: number, probe: boolean): void {
    if (this.answeredAt > startedAt) return;
    this.failures++;
    if (probe || this.failures === this.options.failuresMax) this.openUntil = this.now() + this.options.openMs;
  }

  private refusal(reason: string): CodedError {
    return unavailable(`The ${this.service} service`, new NotSentError(reason));
  }
}

/** No answer, or the service's own UNAVAILABLE. That nobody listens is told by the broker at once and ties up nothing. */
function isFailure(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'UNAVAILABLE' && !isUnheard(error);
}

/** Whether it is certain that no process heard of a call that ended with this error. */
export function isUnheard(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof NotSentError || cause instanceof NoResponderError;
}

const STATE_VALUES: Record<CircuitState, number> = { closed: 0, 'half-open': 1, open: 2 };

/** One circuit for each service that is asked. */
export class Circuits {
  private readonly circuits = new Map<string, Circuit>();
  private readonly options: Required<CircuitOptions>;
  private readonly refused: Counter<'service'>;

  constructor(metrics: Pick<Metrics, 'registry'>, options: CircuitOptions = {}) {
    this.options = { failuresMax: 5, openMs: 1_000, inFlightMax: 256, ...options };
    const { circuits } = this;
    const registers = [metrics.registry];
    this.refused = new Counter({
      name: 'kiln_circuit_refused_total',
      help: 'Calls that were not sent because the service did not answer those before',
      labelNames: ['service'],
      registers,
    });
    const states: Gauge<'service'> = new Gauge({
      name: 'kiln_circuit_state',
      help: 'State of the circuit to a service: 0 closed, 1 half-open, 2 open',
      labelNames: ['service'],
      registers,
      collect() {
        for (const [service, circuit] of circuits) states.set({ service }, STATE_VALUES[circuit.state]);
      },
    });
  }

  async run<Result>(service: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.of(service).run(work);
    } catch (error) {
      if (error instanceof CodedError && error.cause instanceof NotSentError) this.refused.inc({ service });
      throw error;
    }
  }

  private of(service: string): Circuit {
    let circuit = this.circuits.get(service);
    if (!circuit) this.circuits.set(service, (circuit = new Circuit(service, this.options)));
    return circuit;
  }
}
