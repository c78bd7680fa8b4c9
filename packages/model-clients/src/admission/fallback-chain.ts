/**
 * Engines in the order in which they are asked: the next one when the one before is away, over its limits, or cannot read
 * this file. Each has its own breaker. Only an organization's own key ends the search: with it goes what the organization wants.
 */
import { backoff, fullJitter, retry } from '@kiln/resilience';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import type { Asker } from './bulkhead.js';
import type { EngineBreaker } from './engine-breaker.js';
import type { ProviderEndpoint } from '../http/provider-endpoint.js';
import { ProviderError } from '../http/provider-error.js';

export interface ChainLink<Engine> {
  /** For logs and metrics. */
  name: string;
  engine: Engine;
  /** Null for a local engine, which needs none. */
  remote: { endpoint: ProviderEndpoint; breaker: EngineBreaker } | null;
}

export interface ChainOptions {
  /** How often the whole chain is tried while its faults are transient. Default 1. */
  rounds?: number;
  /** Longest wait before another round, in seconds; a chain that asks for more patience has failed. Default 20. */
  waitSecondsMax?: number;
  /** Called for each engine that failed, even when a later one succeeded. */
  onFailure?: (name: string, error: Failure) => void;
}

type Failure = ProviderError | ExtractionError;

/** Called with the engine that is tried next, its position in the chain, and the reason. */
export type OnFallback<Engine> = (next: ChainLink<Engine>, position: number, error: Failure) => void;

export interface RunOptions<Engine> {
  /** Called before the next engine is tried. */
  onFallback?: OnFallback<Engine>;
  /** For engines whose slots owners share. */
  asker?: Asker;
}

/** Of a failure without Retry-After. */
const WAIT_SECONDS = { first: 1, max: 20 };

export class FallbackChain<Engine> {
  constructor(
    readonly links: readonly ChainLink<Engine>[],
    private readonly options: ChainOptions = {},
  ) {}

  /** When all engines fail, throws the most informative of their errors: a ProviderError or an ExtractionError. */
  async run<Result>(
    work: (engine: Engine) => Promise<Result>,
    signal: AbortSignal,
    options: RunOptions<Engine> = {},
  ): Promise<Result> {
    const waitMs = (error: unknown, round: number) => this.waitBeforeNextRound(error, round);
    return retry(() => this.tryEach(work, signal, options), { waitMs, signal });
  }

  private waitBeforeNextRound(error: unknown, round: number): number | null {
    const { rounds = 1, waitSecondsMax = 20 } = this.options;
    if (!(error instanceof ProviderError) || !isWorthWaiting(error) || round >= rounds) return null;
    const seconds = error.retryAfterSeconds ?? fullJitter(backoff(WAIT_SECONDS, round - 1));
    return seconds > waitSecondsMax ? null : seconds * 1_000;
  }

  private async tryEach<Result>(
    work: (engine: Engine) => Promise<Result>,
    signal: AbortSignal,
    { onFallback, asker }: RunOptions<Engine>,
  ): Promise<Result> {
    const failures: Failure[] = [];
    for (const [position, link] of this.links.entries()) {
      const { name, engine, remote } = link;
      const before = failures.at(-1);
      if (before) onFallback?.(link, position, before);
      try {
        const once = () => work(engine);
        return await (remote ? remote.breaker.run(remote.endpoint, once, signal, asker) : once());
      } catch (error) {
        if (signal.aborted || !isFailure(error)) throw error;
        this.options.onFailure?.(name, error);
        if (error.code === 'provider_unauthorized') throw error;
        failures.push(error);
      }
    }
    const [first, ...others] = failures;
    if (first === undefined) throw new Error('A fallback chain requires at least one engine.');
    throw others.reduce(moreInformative, first);
  }
}

/** A chain does not wait for an open circuit. */
function isWorthWaiting({ transient, fault }: ProviderError): boolean {
  return transient && fault !== 'circuit_open';
}

function isFailure(error: unknown): error is Failure {
  return error instanceof ProviderError || error instanceof ExtractionError;
}

/** A fault of the file ranks highest, then that files cannot be read here now, then a retryable fault, then a refusal of one engine. */
function rank(failure: Failure): number {
  if (failure instanceof ProviderError) {
    if (!failure.transient) return 3;
    return failure.wasAsked ? 5 : 4;
  }
  if (failure.code === 'unsupported_type') return 1;
  if (failure.code === 'file_too_large' || failure.code === 'timeout') return 2;
  if (failure.code === 'unavailable') return 6;
  return failure.retryable ? 5 : 7;
}

function moreInformative(one: Failure, other: Failure): Failure {
  if (rank(one) !== rank(other)) return rank(one) > rank(other) ? one : other;
  return waitOf(other) < waitOf(one) ? other : one;
}

const waitOf = (failure: Failure) => (failure instanceof ProviderError ? (failure.retryAfterSeconds ?? 0) : 0);
