/**
 * Decides whether a request to an engine may begin, and learns how it ended. A gate of one process counts its own requests; a gate that
 * several processes share keeps its count elsewhere.
 */
import { CircuitBreaker, type CircuitState } from '@kiln/resilience';
import { EngineLimits, type Asker, type LimitOptions } from './engine-limits.js';

/** How a request ended. `abandoned`: it showed nothing about the engine. */
export interface CallOutcome {
  kind: 'succeeded' | 'failed' | 'abandoned';
  /** No request may begin for this long: the engine asked for it. */
  pauseMs?: number;
  /** How many tokens it used, if that is known. */
  tokens?: number;
}

/** A request that has begun. */
export interface GatedCall {
  /** Exactly once, when the request is over. Does not fail. */
  end(outcome: CallOutcome): Promise<void>;
}

export interface EngineGate {
  /** `asker`: for an engine whose places owners share. Throws NoRoomError after some patience, CircuitOpenError, or the signal's reason. */
  enter(signal: AbortSignal, asker?: Asker): Promise<GatedCall>;
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

export interface LocalGateOptions extends LimitOptions {
  circuit?: CircuitOptions;
  /** How many milliseconds a request may wait for a free slot. */
  patienceMs: number;
}

export class LocalGate implements EngineGate {
  private readonly circuit: CircuitBreaker;
  private readonly limits: EngineLimits;
  private readonly patienceMs: number;

  constructor({ circuit, patienceMs, ...limits }: LocalGateOptions) {
    this.circuit = new CircuitBreaker({ ...circuitDefaults, ...circuit });
    this.limits = new EngineLimits(limits);
    this.patienceMs = patienceMs;
  }

  get state(): CircuitState {
    return this.circuit.state;
  }

  get inUse(): number {
    return this.limits.inUse;
  }

  async enter(signal: AbortSignal, asker?: Asker): Promise<GatedCall> {
    this.assertClosed();
    const leave = await this.limits.enter(this.patienceMs, signal, asker);
    try {
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
        if (pauseMs !== undefined) this.limits.pause(pauseMs);
        leave(tokens);
      },
    };
  }

  private assertClosed(): void {
    const { waitMs } = this.circuit;
    if (waitMs > 0) throw new CircuitOpenError(waitMs);
  }
}
