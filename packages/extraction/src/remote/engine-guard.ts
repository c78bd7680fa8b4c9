// Guards one remote engine: applies its limits, then its circuit breaker, and records each outcome in both.
import { CircuitBreaker, type CircuitState, type GuardedCall } from '@kiln/resilience';
import { EngineLimits, NoRoomError, type LimitOptions } from './engine-limits.js';
import type { ProviderEndpoint } from './provider-endpoint.js';
import { ProviderError, type ProviderFault } from './provider-error.js';

export interface GuardOptions extends LimitOptions {
  circuit?: {
    /** Consecutive failures that open the circuit. Default 5. */
    failuresMax?: number;
    /** The first wait in milliseconds. Default 5,000. It doubles up to two minutes while probes fail. */
    openMs?: number;
    /** Milliseconds that only go up; replaced in tests. */
    now?: () => number;
  };
  /** How many milliseconds a request may wait for a free slot. */
  patienceMs: number;
  /**
   * For the keys of many organizations: what one of them has used up must not stop the others, so neither a pause nor a circuit
   * follows from an answer.
   */
  isShared?: boolean;
}

/** Faults of the engine itself, whatever the request was. */
const ENGINE_FAULTS: ReadonlySet<ProviderFault> = new Set([
  'unauthorized',
  'exhausted',
  'server_error',
  'timeout',
  'unreachable',
  'malformed',
]);
/** The pause when an engine sends no Retry-After. */
const PAUSE_SECONDS = 1;
const OPEN_MS_MAX = 120_000;

export class EngineGuard {
  private readonly circuit: CircuitBreaker;
  private readonly limits: EngineLimits;
  private readonly patienceMs: number;
  private readonly isShared: boolean;

  constructor({ circuit, patienceMs, isShared = false, ...limits }: GuardOptions) {
    const defaults = { failuresMax: 5, openMs: 5_000, openMsMax: OPEN_MS_MAX };
    this.circuit = new CircuitBreaker({ ...defaults, ...circuit, ...(isShared && { failuresMax: Infinity }) });
    this.limits = new EngineLimits(limits);
    this.patienceMs = patienceMs;
    this.isShared = isShared;
  }

  get state(): CircuitState {
    return this.circuit.state;
  }

  get inUse(): number {
    return this.limits.inUse;
  }

  /** Throws a ProviderError whose `wasAsked` is false when the engine is not to be asked now; else whatever `work` throws. */
  async run<Result>(endpoint: ProviderEndpoint, work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    this.assertClosed(endpoint);
    const leave = await this.enter(endpoint, signal);
    try {
      // The circuit may have opened in the meantime.
      this.assertClosed(endpoint);
      return await this.ask(work, signal);
    } finally {
      leave();
    }
  }

  /** The same for work that yields its result in pieces. The slot is free again when the last piece was read, or the reader stopped. */
  async *stream<Piece, Result>(
    endpoint: ProviderEndpoint,
    work: () => AsyncGenerator<Piece, Result>,
    signal: AbortSignal,
  ): AsyncGenerator<Piece, Result, undefined> {
    this.assertClosed(endpoint);
    const leave = await this.enter(endpoint, signal);
    try {
      this.assertClosed(endpoint);
      return yield* this.askForPieces(work, signal);
    } finally {
      leave();
    }
  }

  private async *askForPieces<Piece, Result>(
    work: () => AsyncGenerator<Piece, Result>,
    signal: AbortSignal,
  ): AsyncGenerator<Piece, Result, undefined> {
    const call = this.circuit.begin();
    let hasEnded = false;
    try {
      const result = yield* work();
      hasEnded = true;
      call.succeeded();
      return result;
    } catch (error) {
      hasEnded = true;
      this.recordFailure(call, error, signal);
      throw error;
    } finally {
      if (!hasEnded) call.abandoned();
    }
  }

  private async ask<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const call = this.circuit.begin();
    try {
      const result = await work();
      call.succeeded();
      return result;
    } catch (error) {
      this.recordFailure(call, error, signal);
      throw error;
    }
  }

  private recordFailure(call: GuardedCall, error: unknown, signal: AbortSignal): void {
    if (signal.aborted) call.abandoned();
    else if (error instanceof ProviderError && ENGINE_FAULTS.has(error.fault)) call.failed();
    else call.succeeded();
    if (!this.isShared && error instanceof ProviderError && error.fault === 'rate_limited')
      this.limits.pause((error.retryAfterSeconds ?? PAUSE_SECONDS) * 1_000);
  }

  private assertClosed(endpoint: ProviderEndpoint): void {
    const { waitMs } = this.circuit;
    if (waitMs > 0) throw new ProviderError('circuit_open', endpoint, { retryAfterSeconds: waitMs / 1_000 });
  }

  private async enter(endpoint: ProviderEndpoint, signal: AbortSignal): Promise<() => void> {
    try {
      return await this.limits.enter(this.patienceMs, signal);
    } catch (error) {
      if (!(error instanceof NoRoomError)) throw error;
      throw new ProviderError('busy', endpoint, { retryAfterSeconds: error.afterMs / 1_000, cause: error });
    }
  }
}
