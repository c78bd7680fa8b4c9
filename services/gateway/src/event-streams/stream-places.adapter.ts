// Limits the open streams of a key and of an organization, on all gateways together. A place is a lease in Redis, so that a gateway that is killed frees
// its places. Without Redis each gateway limits its own streams.
import { CodedError, liveTenantOf, unavailable } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../auth/caller.domain.js';
import type { Redis } from '../redis/redis.adapter.js';
import { withinMilliseconds } from '../redis/within-milliseconds.domain.js';

const OF_KEY_MAX = 10;
const OF_ORGANIZATION_MAX = 100;
const OF_PROCESS_MAX = 2_000;
const LEASE_MS = 60_000;
const ANSWER_TIMEOUT_MS = 1_000;
const RETRY_AFTER_SECONDS = 15;

/** Takes or renews the place ARGV[1] of a set of leases, unless it has ARGV[2] others. By the time of Redis. */
const TAKE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local held = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not held and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`;

interface Owner {
  name: string;
  max: number;
  refusal: string;
}

export interface StreamPlace {
  /** Call it more often than once a minute. */
  renew: () => Promise<void>;
  release: () => void;
}

export class StreamPlaces {
  /** The streams of this process, by owner. */
  private readonly own = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly redis: Pick<Redis, 'isReady' | 'eval' | 'zRem'>,
    private readonly namespace: string,
    private readonly answerTimeoutMs = ANSWER_TIMEOUT_MS,
  ) {}

  /** Throws RATE_LIMITED, or UNAVAILABLE if the process has no place. */
  async take({ principal, tenantId }: Pick<Caller, 'principal' | 'tenantId'>): Promise<StreamPlace> {
    if (this.total >= OF_PROCESS_MAX) throw unavailable('The event stream');
    const id = uuidv7();
    const taken: Owner[] = [];
    const release = () => {
      for (const owner of taken.splice(0)) this.giveBack(owner, id);
      this.total--;
    };
    this.total++;
    try {
      for (const owner of ownersOf(principal, tenantId)) {
        taken.push(owner);
        const count = (this.own.get(owner.name) ?? 0) + 1;
        this.own.set(owner.name, count);
        if (count > owner.max || !(await this.lease(owner, id))) throw refused(owner);
      }
    } catch (error) {
      release();
      throw error;
    }
    const renew = async () => {
      const renewed = [...taken];
      for (const owner of renewed) await this.lease(owner, id);
      // The place may have been released meanwhile.
      if (taken.length === 0) for (const owner of renewed) this.endLease(owner, id);
    };
    return { renew, release };
  }

  /** Whether there is a place. Without an answer of Redis there is. */
  private async lease({ name, max }: Owner, id: string): Promise<boolean> {
    if (!this.redis.isReady) return true;
    const call = { keys: [this.keyOf(name)], arguments: [id, String(max), String(LEASE_MS)] };
    try {
      return (await withinMilliseconds(this.answerTimeoutMs, this.redis.eval(TAKE, call))) !== 0;
    } catch {
      return true;
    }
  }

  private giveBack(owner: Owner, id: string): void {
    const others = (this.own.get(owner.name) ?? 0) - 1;
    if (others > 0) this.own.set(owner.name, others);
    else this.own.delete(owner.name);
    this.endLease(owner, id);
  }

  /** Without Redis the lease expires. */
  private endLease({ name }: Owner, id: string): void {
    void this.redis.zRem(this.keyOf(name), id).catch(() => undefined);
  }

  private keyOf = (name: string) => `${this.namespace}:{${name}}:streams`;
}

const ownersOf = (principal: string, tenantId: string): Owner[] => [
  {
    name: principal,
    max: OF_KEY_MAX,
    refusal: `These credentials have ${OF_KEY_MAX} open streams, the most. Close one first.`,
  },
  {
    name: `organization ${liveTenantOf(tenantId)}`,
    max: OF_ORGANIZATION_MAX,
    refusal: `The organization has ${OF_ORGANIZATION_MAX} open streams, the most. Close one first.`,
  },
];

const refused = ({ refusal }: Owner) =>
  new CodedError('RATE_LIMITED', refusal, { retryAfterSeconds: RETRY_AFTER_SECONDS });
