// A token bucket in Redis, one script call per request, so that all replicas share it. Time is Redis's own: the clocks of
// the replicas do not matter. Without Redis every request passes, and none waits for it.
import { createHash } from 'node:crypto';
import type { Redis } from './redis.js';

export interface BucketOptions {
  /** Tokens that flow in per second. */
  refillPerSecond: number;
  /** Tokens a full bucket holds. */
  burst: number;
  /** Leads every key in Redis. */
  namespace: string;
}

export interface BucketState {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Seconds until there is a token; at least 1. */
  retryAfterSeconds: number;
}

const TAKE_ONE = `
local refill, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local kept = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(kept[1]) or burst, tonumber(kept[2]) or now
tokens = math.min(burst, tokens + math.max(0, now - at) * refill / 1000)
local allowed = tokens >= 1 and 1 or 0
tokens = tokens - allowed
redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / refill * 1000) + 1000)
return { allowed, math.floor(tokens), math.ceil((burst - tokens) / refill), math.ceil((1 - tokens) / refill) }
`;
const TAKE_ONE_SHA1 = createHash('sha1').update(TAKE_ONE).digest('hex');

const ANSWER_TIMEOUT_MS = 100;
/** After Redis was silent, requests do not wait for it again for this long. */
const SILENCE_PAUSE_MS = 1_000;

export class TokenBucket {
  private pausedUntil = 0;

  constructor(
    private readonly redis: Pick<Redis, 'isReady' | 'evalSha' | 'eval'>,
    private readonly options: BucketOptions,
    private readonly onUnavailable: () => void,
  ) {}

  /** Takes one token from the bucket of `name`. A full bucket when Redis does not answer. */
  async take(name: string): Promise<BucketState> {
    const { burst } = this.options;
    if (this.redis.isReady && Date.now() >= this.pausedUntil) {
      try {
        return this.stateOf(await withTimeout(this.run(name)));
      } catch {
        this.pausedUntil = Date.now() + SILENCE_PAUSE_MS;
      }
    }
    this.onUnavailable();
    return { allowed: true, limit: burst, remaining: burst, resetSeconds: 0, retryAfterSeconds: 1 };
  }

  private async run(name: string): Promise<unknown> {
    const { refillPerSecond, burst, namespace } = this.options;
    const call = { keys: [`${namespace}:rate:${name}`], arguments: [String(refillPerSecond), String(burst)] };
    try {
      return await this.redis.evalSha(TAKE_ONE_SHA1, call);
    } catch (error) {
      // A Redis that was just started does not know the script yet.
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return this.redis.eval(TAKE_ONE, call);
      throw error;
    }
  }

  private stateOf(reply: unknown): BucketState {
    const [allowed, remaining, resetSeconds, retryAfterSeconds] = (reply as unknown[]).map(Number);
    return {
      allowed: allowed === 1,
      limit: this.options.burst,
      remaining: remaining ?? 0,
      resetSeconds: resetSeconds ?? 0,
      retryAfterSeconds: Math.max(1, retryAfterSeconds ?? 1),
    };
  }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`)), ANSWER_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
