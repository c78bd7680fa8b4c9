// The circuit breaker of one remote engine: runs each request that admission control lets begin, and judges how it ended.
import { ExtractionError } from '@kiln/pdf/extraction-error';
import type { CircuitState } from '@kiln/resilience';
import {
  CircuitOpenError,
  LocalAdmission,
  type CallOutcome,
  type EngineAdmission,
  type AdmittedCall,
  type LocalAdmissionOptions,
} from './engine-admission.js';
import { NoRoomError, type Asker } from './bulkhead.js';
import type { ProviderEndpoint } from '../http/provider-endpoint.js';
import { ProviderError, type ProviderFault } from '../http/provider-error.js';

export interface BreakerOptions extends LocalAdmissionOptions {
  /**
   * For the keys of many organizations: what one of them has used up must not stop the others, so neither a pause nor a circuit
   * follows from an answer.
   */
  isShared?: boolean;
  /** Counts the requests of several processes. Default: local admission. */
  admission?: EngineAdmission | undefined;
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

export class EngineBreaker {
  private readonly local: LocalAdmission;
  private readonly admission: EngineAdmission;
  private readonly isShared: boolean;

  constructor({ isShared = false, admission, ...limits }: BreakerOptions) {
    this.local = new LocalAdmission(limits);
    this.admission = admission ?? this.local;
    this.isShared = isShared;
  }

  /** Of this process. */
  get state(): CircuitState {
    return this.local.state;
  }

  /** In this process. */
  get inUse(): number {
    return this.local.inUse;
  }

  /** Throws a ProviderError whose `wasAsked` is false when the engine is not to be asked now; else whatever `work` throws. */
  async run<Result>(
    endpoint: ProviderEndpoint,
    work: () => Promise<Result>,
    signal: AbortSignal,
    asker?: Asker,
  ): Promise<Result> {
    const call = await this.enter(endpoint, signal, asker);
    let outcome: CallOutcome = { kind: 'succeeded' };
    try {
      return await work();
    } catch (error) {
      outcome = this.outcomeOf(error, signal);
      throw error;
    } finally {
      await call.end(outcome);
    }
  }

  /**
   * The same for work that yields its result in pieces. The slot is free again when the last piece was read, or the reader stopped.
   * `tokensOf`: how many tokens a result took, if that is known.
   */
  async *stream<Piece, Result>(
    endpoint: ProviderEndpoint,
    work: () => AsyncGenerator<Piece, Result>,
    signal: AbortSignal,
    shared?: { asker: Asker; tokensOf: (result: Result) => number | undefined },
  ): AsyncGenerator<Piece, Result, undefined> {
    const call = await this.enter(endpoint, signal, shared?.asker);
    let outcome: CallOutcome = { kind: 'abandoned' };
    try {
      const result = yield* work();
      const tokens = shared?.tokensOf(result);
      outcome = { kind: 'succeeded', ...(tokens !== undefined && { tokens }) };
      return result;
    } catch (error) {
      outcome = this.outcomeOf(error, signal);
      throw error;
    } finally {
      await call.end(outcome);
    }
  }

  private outcomeOf(error: unknown, signal: AbortSignal): CallOutcome {
    const failure = error instanceof ProviderError ? error : null;
    // Any other error has another cause, such as a file that could not be fetched.
    if (failure === null && !(error instanceof ExtractionError)) return { kind: 'abandoned' };
    const isEngineFault = failure !== null && ENGINE_FAULTS.has(failure.fault);
    if (signal.aborted || (this.isShared && isEngineFault)) return { kind: 'abandoned' };
    if (isEngineFault) return { kind: 'failed' };
    if (this.isShared || failure?.fault !== 'rate_limited') return { kind: 'succeeded' };
    return { kind: 'succeeded', pauseMs: (failure.retryAfterSeconds ?? PAUSE_SECONDS) * 1_000 };
  }

  private async enter(endpoint: ProviderEndpoint, signal: AbortSignal, asker?: Asker): Promise<AdmittedCall> {
    try {
      return await this.admission.enter(signal, asker);
    } catch (error) {
      if (error instanceof CircuitOpenError)
        throw new ProviderError('circuit_open', endpoint, { retryAfterSeconds: error.afterMs / 1_000 });
      if (!(error instanceof NoRoomError)) throw error;
      throw new ProviderError('busy', endpoint, { retryAfterSeconds: error.afterMs / 1_000, cause: error });
    }
  }
}
