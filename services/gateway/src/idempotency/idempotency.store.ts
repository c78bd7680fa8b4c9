// Rows of requests with an Idempotency-Key, shared by all gateways. A running request owns its row until its lease
// expires; every write of the owner names its fencing token.
import { statement, type Queryable } from '@kiln/platform';
import { oldestSeed, RequestIds } from './request-ids.domain.js';

export interface KeyedRequest {
  tenantId: string;
  /** Name of the row in the route table. */
  route: string;
  keyHash: Buffer;
  /** Fencing token of this run of the request (uuid). */
  owner: string;
}

export type Claim =
  | { outcome: 'owned'; ids: RequestIds }
  | { outcome: 'running' }
  | { outcome: 'answered'; answer: Buffer };

/** When a process dies, its keys are free after this time, well under the promised 60 s. */
export const LEASE_SECONDS = 20;
const LEASE = `interval '${LEASE_SECONDS} seconds'`;
export const RENEW_INTERVAL_MS = 5_000;
const KEPT = `interval '24 hours'`;
/** A row belongs to the day of its claim. An answer is kept for a day from its end, so it may be needed on the second day after. */
export const IDEMPOTENCY_DAYS = { tables: ['idempotent_requests'], daysBefore: 2, daysAhead: 14, keptDays: 2 };
/** The row of a key. The caller does not know its day. */
const KEYED = `where tenant_id = $1 and route = $2 and key_hash = $3
     and day between idempotency_day() - 2 and idempotency_day() + 1`;
/** The row of a request that still owns its key. A write to it is fenced. */
const OWNED = `${KEYED} and owner = $4 and answer is null`;
/** Version and key id of a sealed value (packages/platform/src/encryption/sealer.ts). */
const SEALED_HEAD_BYTES = 5;

/** A claim, under a lock (see the function in the migration). */
const claim = statement(
  'gateway.claim_idempotency_key',
  `select * from claim_idempotency_key($1, $2, $3, $4, $5, ${LEASE})`,
);
const renew = statement(
  'gateway.renew_idempotency_key',
  `update idempotent_requests set lease_expires_at = now() + ${LEASE}
   ${OWNED}`,
);
const keep = statement(
  'gateway.keep_idempotent_answer',
  `update idempotent_requests
   set answer = $5, kept_until = now() + ${KEPT}, lease_expires_at = now()
   ${OWNED}`,
);
const release = statement(
  'gateway.release_idempotency_key',
  `update idempotent_requests set lease_expires_at = now() - interval '1 second'
   ${OWNED}`,
);
/** A keyset page, in the order of an index. */
const sealed = statement(
  'gateway.sealed_idempotent_answers',
  `select tenant_id as "tenantId", route, key_hash as "keyHash", substring(answer for ${SEALED_HEAD_BYTES}) as "answerHead"
   from idempotent_requests
   where answer is not null and substring(answer for ${SEALED_HEAD_BYTES}) = $1
     and ($2::uuid is null or (tenant_id, route, key_hash) > ($2, $3, $4))
   order by tenant_id, route, key_hash limit $5`,
  { plannedForValues: true },
);
const sealedAnswer = statement('gateway.sealed_idempotent_answer', `select answer from idempotent_requests ${KEYED}`);
/** A fenced write: if the answer is no longer the one that was read, a newer key has sealed it already. */
const reseal = statement(
  'gateway.reseal_idempotent_answer',
  `update idempotent_requests set answer = $5
   ${KEYED} and answer = $4 returning 1`,
);

/** A kept answer of any tenant: its key and its first bytes. */
export interface SealedAnswerRow extends Pick<KeyedRequest, 'tenantId' | 'route' | 'keyHash'> {
  answerHead: Buffer;
}

interface ClaimRow {
  seed: string | null;
  kept_answer: Buffer | null;
}

const valuesOf = (request: KeyedRequest) => [request.tenantId, request.route, request.keyHash, request.owner];

export class IdempotencyStore {
  constructor(private readonly database: Queryable) {}

  async claim(request: KeyedRequest): Promise<Claim> {
    const [row] = await this.database.query<ClaimRow>(claim, [...valuesOf(request), oldestSeed()]);
    const seed = row?.seed ?? null;
    if (seed !== null) return { outcome: 'owned', ids: new RequestIds(seed, seed !== request.owner) };
    return row?.kept_answer ? { outcome: 'answered', answer: row.kept_answer } : { outcome: 'running' };
  }

  async renew(request: KeyedRequest): Promise<void> {
    await this.database.query(renew, valuesOf(request));
  }

  /** Keeps the sealed answer for repeats, for 24 h. Does nothing when the key has a new owner. */
  async keep(request: KeyedRequest, answer: Buffer): Promise<void> {
    await this.database.query(keep, [...valuesOf(request), answer]);
  }

  /** The key may be used again at once. Its row stays for a while, because it names the ids. */
  async release(request: KeyedRequest): Promise<void> {
    await this.database.query(release, valuesOf(request));
  }

  /** Returns kept answers of all tenants that begin with `head`, after `last`. */
  sealed(head: Buffer, last: SealedAnswerRow | null, limit: number): Promise<SealedAnswerRow[]> {
    const values = [head, last?.tenantId ?? null, last?.route ?? null, last?.keyHash ?? null, limit];
    return this.database.query<SealedAnswerRow>(sealed, values);
  }

  async sealedAnswer({ tenantId, route, keyHash }: SealedAnswerRow): Promise<Buffer | null> {
    const [row] = await this.database.query<{ answer: Buffer | null }>(sealedAnswer, [tenantId, route, keyHash]);
    return row?.answer ?? null;
  }

  /** Returns false when the answer was replaced or removed since it was read. */
  async reseal({ tenantId, route, keyHash }: SealedAnswerRow, answer: Buffer, anew: Buffer): Promise<boolean> {
    return (await this.database.query(reseal, [tenantId, route, keyHash, answer, anew])).length > 0;
  }
}
