/**
 * Engines in the order in which they are asked: the next one when the one before is away, over its limits, or can not read
 * this file. Each has its own guard. Only an organization's own key ends the search: with it goes what the organization wants.
 */
import { ExtractionError } from '../extraction-error.js';
import type { EngineGuard } from './engine-guard.js';
import { sleep } from './engine-limits.js';
import type { ProviderEndpoint } from './provider-endpoint.js';
import { ProviderError } from './provider-error.js';

export interface ChainLink<Engine> {
  /** For logs and metrics. */
  name: string;
  engine: Engine;
  /** Null for an engine of this machine, which needs no guard. */
  remote: { endpoint: ProviderEndpoint; guard: EngineGuard } | null;
}

export interface ChainOptions {
  /** How often the whole chain is gone through while its faults are transient. Default 1. */
  rounds?: number;
  /** Longest wait before another round, in seconds; a chain that asks for more patience has failed. Default 20. */
  waitSecondsMax?: number;
  /** Told of each engine that failed, also when a later one did the work. */
  onFailure?: (name: string, error: Failure) => void;
}

type Failure = ProviderError | ExtractionError;

/** Told which engine is asked next, at which place of the chain, and why. */
export type OnFallback<Engine> = (next: ChainLink<Engine>, position: number, error: Failure) => Promise<void>;

const WAIT_BASE_SECONDS = 0.5;

export class FallbackChain<Engine> {
  constructor(
    readonly links: readonly ChainLink<Engine>[],
    private readonly options: ChainOptions = {},
  ) {}

  /**
   * Throws what says most about why none of them could: a ProviderError or an ExtractionError. `onFallback` is awaited before
   * the next engine is asked.
   */
  async run<Result>(
    work: (engine: Engine) => Promise<Result>,
    signal: AbortSignal,
    onFallback?: OnFallback<Engine>,
  ): Promise<Result> {
    const { rounds = 1, waitSecondsMax = 20 } = this.options;
    for (let round = 1; ; round++) {
      const outcome = await this.tryEach(work, signal, onFallback);
      if ('result' in outcome) return outcome.result;
      const { failure } = outcome;
      if (!(failure instanceof ProviderError) || !isWorthWaiting(failure) || round >= rounds) throw failure;
      const seconds = failure.retryAfterSeconds ?? Math.random() * WAIT_BASE_SECONDS * 2 ** round;
      if (seconds > waitSecondsMax) throw failure;
      await sleep(seconds * 1_000, signal);
    }
  }

  private async tryEach<Result>(
    work: (engine: Engine) => Promise<Result>,
    signal: AbortSignal,
    onFallback: OnFallback<Engine> | undefined,
  ): Promise<{ result: Result } | { failure: Failure }> {
    const failures: Failure[] = [];
    for (const [position, link] of this.links.entries()) {
      const { name, engine, remote } = link;
      const before = failures.at(-1);
      if (before) await onFallback?.(link, position, before);
      try {
        const once = () => work(engine);
        return { result: await (remote ? remote.guard.run(remote.endpoint, once, signal) : once()) };
      } catch (error) {
        if (signal.aborted || !isFailure(error)) throw error;
        this.options.onFailure?.(name, error);
        if (error.code === 'provider_unauthorized') throw error;
        failures.push(error);
      }
    }
    const [first, ...others] = failures;
    if (first === undefined) throw new Error('a chain without engines was asked');
    return { failure: others.reduce(moreTelling, first) };
  }
}

/** While a circuit is open nobody is to wait for it in a row. */
function isWorthWaiting({ transient, fault }: ProviderError): boolean {
  return transient && fault !== 'circuit_open';
}

function isFailure(error: unknown): error is Failure {
  return error instanceof ProviderError || error instanceof ExtractionError;
}

/** Whether it is worth another try stands above what one engine can not do; what is wrong with the file, above both. */
function rank(failure: Failure): number {
  if (failure instanceof ProviderError) {
    if (!failure.transient) return 3;
    return failure.wasAsked ? 5 : 4;
  }
  if (failure.code === 'unsupported_type') return 1;
  if (failure.code === 'file_too_large' || failure.code === 'timeout') return 2;
  return failure.retryable ? 5 : 6;
}

function moreTelling(one: Failure, other: Failure): Failure {
  if (rank(one) !== rank(other)) return rank(one) > rank(other) ? one : other;
  return waitOf(other) < waitOf(one) ? other : one;
}

const waitOf = (failure: Failure) => (failure instanceof ProviderError ? (failure.retryAfterSeconds ?? 0) : 0);
