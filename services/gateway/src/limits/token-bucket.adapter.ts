// Asks Redis once per request, in one script that all replicas share: is the caller revoked, and is there a token in its bucket?
// The script uses the time of Redis, so the clocks of the replicas do not matter. Without Redis every request passes without
// waiting.
import { createHash } from 'node:crypto';
import { revocationKey } from '../keys/revocations.adapter.js';
import type { Rate } from './plan-rates.config.js';
import type { Redis } from '../redis/redis.adapter.js';
import { withinMilliseconds } from '../redis/within-milliseconds.domain.js';

export interface BucketState {
  /** The caller was revoked; the other fields are then meaningless. */
  revoked: boolean;
  allowed: boolean;
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Seconds until the next token; at least 1. */
  retryAfterSeconds: number;
}

/**
 * A bucket is stored as one number: the time (microseconds) at which it will be full. To take a token moves that time by the time
 * in which the bucket gains one. A full bucket is not stored. This is the generic cell rate algorithm (ITU-T I.371), read as a
 * token bucket. The time is never later than that of an empty bucket, also when the rate has changed or the clock was set back.
 */
const TAKE_ONE = `
local kept = redis.call('MGET', KEYS[1], KEYS[2])
if kept[2] then return { -1, 0, 0, 0 } end
local refill, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local full = math.max(now, tonumber(kept[1]) or now)
local latest = now + burst * 1000000 / refill
local function keep(at) redis.call('SET', KEYS[1], string.format('%.0f', at), 'PX', math.ceil((at - now) / 1000) + 1) end
if full > latest then
  full = latest
  keep(full)
end
local tokens = burst - (full - now) * refill / 1000000
if tokens < 1 then return { 0, 0, math.ceil((burst - tokens) / refill), math.ceil((1 - tokens) / refill) } end
keep(full + 1000000 / refill)
return { 1, math.floor(tokens - 1), math.ceil((burst - tokens + 1) / refill), 1 }
`;
const TAKE_ONE_SHA1 = createHash('sha1').update(TAKE_ONE).digest('hex');

/** After a timeout, requests skip Redis for this long. */
const SILENCE_PAUSE_MS = 1_000;

export class TokenBucket {
  private pausedUntil = 0;

  constructor(
    private readonly redis: Pick<Redis, 'isReady' | 'evalSha' | 'eval'>,
    /** The prefix of every key in Redis. */
    private readonly namespace: string,
    /** Counts the requests that pass without a limit. */
    private readonly skipped: { add: (count: number) => void },
    /** How long a request waits for the answer of Redis. */
    private readonly answerTimeoutMs: number,
  ) {}

  /** Takes one token from the bucket of `principal`. Null when Redis does not answer. */
  async take(principal: string, rate: Rate): Promise<BucketState | null> {
    if (this.redis.isReady && Date.now() >= this.pausedUntil) {
      try {
        return stateOf(await withinMilliseconds(this.answerTimeoutMs, this.run(principal, rate)));
      } catch {
        this.pausedUntil = Date.now() + SILENCE_PAUSE_MS;
      }
    }
    this.skipped.add(1);
    return null;
  }

  private async run(principal: string, { perSecond, burst }: Rate): Promise<unknown> {
    // The braces put both keys into one slot of a cluster.
    const keys = [`${this.namespace}:{${principal}}:rate`, revocationKey(this.namespace, principal)];
    const call = { keys, arguments: [String(perSecond), String(burst)] };
    try {
      return await this.redis.evalSha(TAKE_ONE_SHA1, call);
    } catch (error) {
      // After a start Redis does not have the script yet.
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return this.redis.eval(TAKE_ONE, call);
      throw error;
    }
  }
}

function stateOf(reply: unknown): BucketState {
  const [outcome = 0, remaining = 0, resetSeconds = 0, retryAfterSeconds = 1] = reply as number[];
  return {
    revoked: outcome === -1,
    allowed: outcome === 1,
    remaining,
    resetSeconds,
    retryAfterSeconds: Math.max(1, retryAfterSeconds),
  };
}
