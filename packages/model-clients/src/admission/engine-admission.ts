// Admission control of an engine: its circuit breaker, bulkhead and rate limiter decide whether a request may begin, and learn how it ended.
// Local admission counts the requests of one process. Shared admission keeps the count of several processes elsewhere.
import { CircuitBreaker, type CircuitState } from '@kiln/resilience';
import { Bulkhead, type Asker, type BulkheadOptions } from './bulkhead.js';
import { RateLimiter, type RateLimiterOptions } from './rate-limiter.js';

/** How a request ended. `abandoned`: it showed nothing about the engine. */
export interface CallOutcome {
  kind: 'succeeded' | 'failed' | 'abandoned';
  /** No request may begin for this long: the engine asked for it. */
  pauseMs?: number;
  /** How many tokens it used, if that is known. */
  tokens?: number;
}

/** A request that has begun. */
export interface AdmittedCall {
  /** Exactly once, when the request is over. Does not fail. */
  end(outcome: CallOutcome): Promise<void>;
}

export interface EngineAdmission {
  /** `asker`: for an engine whose slots owners share. Throws NoRoomError after some patience, CircuitOpenError, or the signal's reason. */
  enter(signal: AbortSignal, asker?: Asker): Promise<AdmittedCall>;
}

/** The engine has failed several times in a row. It may be called after `afterMs`. */
export class CircuitOpenError extends Error {
  constructor(readonly afterMs: number) {
    super('the circuit is open');
  }
}

export interface CircuitOptions {
  /** Consecutive failures that open the circuit. Default 5. */
  failuresMax?: number;
  /** The first wait in milliseconds. Default 5,000. It doubles up to two minutes while probes fail. */
  openMs?: number;
  /** Milliseconds that only go up; replaced in tests. */
  now?: () => number;
}

export const circuitDefaults = { failuresMax: 5, openMs: 5_000, openMsMax: 120_000 } as const;

export interface LocalAdmissionOptions extends BulkheadOptions, RateLimiterOptions {
  circuit?: CircuitOptions;
  /** How many milliseconds a request may wait for a free slot. */
  patienceMs: number;
}

export class LocalAdmission implements EngineAdmission {
  private readonly circuit: CircuitBreaker;
  private readonly bulkhead: Bulkhead;
  private readonly rate: RateLimiter;
  private readonly patienceMs: number;

  constructor({ circuit, patienceMs, ...limits }: LocalAdmissionOptions) {
    this.circuit = new CircuitBreaker({ ...circuitDefaults, ...circuit });
    this.bulkhead = new Bulkhead(limits);
    this.rate = new RateLimiter(limits);
    this.patienceMs = patienceMs;
  }

  get state(): CircuitState {
    return this.circuit.state;
  }

  get inUse(): number {
    return this.bulkhead.inUse;
  }

  async enter(signal: AbortSignal, asker?: Asker): Promise<AdmittedCall> {
    this.assertClosed();
    const deadline = this.rate.deadline(this.patienceMs);
    const leave = await this.bulkhead.enter(this.patienceMs, signal, asker);
    try {
      await this.rate.enter(deadline, signal);
      // The circuit may have opened in the meantime.
      this.assertClosed();
    } catch (error) {
      leave(0);
      throw error;
    }
    const call = this.circuit.begin();
    return {
      end: async ({ kind, pauseMs, tokens }) => {
        call[kind]();
        if (pauseMs !== undefined) this.rate.pause(pauseMs);
        leave(tokens);
      },
    };
  }

  private assertClosed(): void {
    const { waitMs } = this.circuit;
    if (waitMs > 0) throw new CircuitOpenError(waitMs);
  }
}
