// The circuit of each service that is called. It keeps an unresponsive service from blocking its callers, and one tenant from using up all
// open calls. Only calls without a reply count as failures; an error reply is a reply. The circuit opens when pings fail too, so a caller
// cannot open it for others with slow or failing calls.
import { CodedError, unavailable } from '@kiln/contracts';
import { CircuitBreaker } from '@kiln/resilience';
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

/** The circuit of one service. */
export class Circuit {
  private readonly breaker: CircuitBreaker;
  private readonly places: SharedPlaces;

  constructor(
    private readonly service: string,
    { failuresMax, pingPauseMs, inFlightMax }: Required<CircuitOptions>,
    ping: Pick<ServicePing, 'isAnswered'>,
    now?: () => number,
  ) {
    this.breaker = new CircuitBreaker({
      failuresMax,
      openMs: pingPauseMs,
      ping: () => ping.isAnswered(service),
      ...(now && { now }),
    });
    this.places = new SharedPlaces(inFlightMax);
  }

  get isOpen(): boolean {
    return this.breaker.state !== 'closed';
  }

  /** Throws UNAVAILABLE or RATE_LIMITED with a NotSentError as its cause, or whatever `send` throws. */
  async run<Result>(tenantId: string, send: () => Promise<Result>): Promise<Result> {
    this.admit(tenantId);
    const call = this.breaker.begin();
    try {
      const result = await send();
      call.succeeded();
      return result;
    } catch (error) {
      if (causeOf(error) instanceof NoReplyError) call.failed();
      else if (isUnheard(error)) call.abandoned();
      else call.succeeded();
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
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/** Whether certainly no process received the call that ended with this error. */
export function isUnheard(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof NotSentError || cause instanceof NoResponderError;
}

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
        [...this.circuits].map(([service, { isOpen }]) => ({ labels: { service }, value: isOpen ? 1 : 0 })),
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
