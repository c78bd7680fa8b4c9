// Rows of requests with an Idempotency-Key, shared by all gateways. A running request owns its row until its lease
// expires; every write of the owner states its fencing token.
import { statement, type Database } from '@kiln/platform';
import { oldestSeed, RequestIds } from './request-ids.js';

export interface KeyedRequest {
  tenantId: string;
  /** Name of the row in the route table. */
  route: string;
  keyHash: Buffer;
  /** Fencing token of this run of the request (uuid). */
  owner: string;
}

export type Claim =
  { outcome: 'owned'; ids: RequestIds } | { outcome: 'running' } | { outcome: 'answered'; answer: Buffer };

/** A dead process frees its keys within this, well under the promised 60 s. */
const LEASE = `interval '20 seconds'`;
export const RENEW_INTERVAL_MS = 5_000;
/** As long as the ids of a request without an answer are chosen again (request-ids.ts). */
const REPEATABLE = `interval '1 hour'`;
const KEPT = `interval '24 hours'`;
const SWEEP_ROWS_MAX = 5_000;
/** Version and key id of a sealed value (packages/platform/src/encryption/sealer.ts). */
const SEALED_HEAD_BYTES = 5;

// The outer select sees the table as it was before the insert, so a row that another gateway is just writing counts as running.
const claim = statement(
  'gateway.claim_idempotency_key',
  `with owned as (
     insert into idempotent_requests as r (tenant_id, route, key_hash, owner, ids_seed, leased_until)
     values ($1, $2, $3, $4, $4, now() + ${LEASE})
     on conflict (tenant_id, route, key_hash) do update
       set owner = excluded.owner, leased_until = excluded.leased_until,
           answer = null, kept_until = null,
           ids_seed = case when r.kept_until is null and r.ids_seed > $5 then r.ids_seed else excluded.ids_seed end
       where r.leased_until < now() and (r.kept_until is null or r.kept_until < now())
     returning ids_seed)
   select (select ids_seed from owned) as seed, r.answer
   from (select) one left join idempotent_requests r on r.tenant_id = $1 and r.route = $2 and r.key_hash = $3`,
);
const renew = statement(
  'gateway.renew_idempotency_key',
  `update idempotent_requests set leased_until = now() + ${LEASE}
   where tenant_id = $1 and route = $2 and key_hash = $3 and owner = $4 and answer is null`,
);
const keep = statement(
  'gateway.keep_idempotent_answer',
  `update idempotent_requests
   set answer = $5, kept_until = now() + ${KEPT}, leased_until = now()
   where tenant_id = $1 and route = $2 and key_hash = $3 and owner = $4 and answer is null`,
);
const release = statement(
  'gateway.release_idempotency_key',
  `update idempotent_requests set leased_until = now() - interval '1 second'
   where tenant_id = $1 and route = $2 and key_hash = $3 and owner = $4 and answer is null`,
);
const sweep = statement(
  'gateway.sweep_idempotency_keys',
  `delete from idempotent_requests where (tenant_id, route, key_hash) in (
     select tenant_id, route, key_hash from idempotent_requests
     where coalesce(kept_until, leased_until) < now() - ${REPEATABLE} limit ${SWEEP_ROWS_MAX} for update skip locked)`,
);

// The first bytes name the key that an answer was sealed with. Answers can be large, so they are read one at a time.
const sealed = statement(
  'gateway.sealed_idempotent_answers',
  `select tenant_id as "tenantId", route, key_hash as "keyHash", substring(answer for ${SEALED_HEAD_BYTES}) as "answerHead"
   from idempotent_requests
   where answer is not null and ($1::uuid is null or (tenant_id, route, key_hash) > ($1, $2, $3))
   order by tenant_id, route, key_hash limit $4`,
);
const sealedAnswer = statement(
  'gateway.sealed_idempotent_answer',
  'select answer from idempotent_requests where tenant_id = $1 and route = $2 and key_hash = $3',
);
/** Only if the answer is still the one that was read: a newer answer is already sealed with the newest key. */
const reseal = statement(
  'gateway.reseal_idempotent_answer',
  `update idempotent_requests set answer = $5
   where tenant_id = $1 and route = $2 and key_hash = $3 and answer = $4 returning 1`,
);

/** A kept answer of any tenant: its key and its first bytes. */
export interface SealedAnswerRow extends Pick<KeyedRequest, 'tenantId' | 'route' | 'keyHash'> {
  answerHead: Buffer;
}

interface ClaimRow {
  seed: string | null;
  answer: Buffer | null;
}

const valuesOf = (request: KeyedRequest) => [request.tenantId, request.route, request.keyHash, request.owner];

export class IdempotencyStore {
  constructor(private readonly database: Database) {}

  async claim(request: KeyedRequest): Promise<Claim> {
    const [row] = await this.database.query<ClaimRow>(claim, [...valuesOf(request), oldestSeed()]);
    const seed = row?.seed ?? null;
    if (seed !== null) return { outcome: 'owned', ids: new RequestIds(seed, seed !== request.owner) };
    return row?.answer ? { outcome: 'answered', answer: row.answer } : { outcome: 'running' };
  }

  async renew(request: KeyedRequest): Promise<void> {
    await this.database.query(renew, valuesOf(request));
  }

  /** Keeps the sealed answer for repeats, for 24 h. Does nothing when the key has passed to another owner. */
  async keep(request: KeyedRequest, answer: Buffer): Promise<void> {
    await this.database.query(keep, [...valuesOf(request), answer]);
  }

  /** The key may be used again at once. Its row stays for a while, because it names the ids. */
  async release(request: KeyedRequest): Promise<void> {
    await this.database.query(release, valuesOf(request));
  }

  /** Removes answers after 24 h, and rows of requests that ended without an answer. */
  async sweep(): Promise<void> {
    await this.database.query(sweep);
  }

  /** Kept answers of all tenants, those after `last`. */
  sealed(last: SealedAnswerRow | null, limit: number): Promise<SealedAnswerRow[]> {
    const values = [last?.tenantId ?? null, last?.route ?? null, last?.keyHash ?? null, limit];
    return this.database.query<SealedAnswerRow>(sealed, values);
  }

  async sealedAnswer({ tenantId, route, keyHash }: SealedAnswerRow): Promise<Buffer | null> {
    const [row] = await this.database.query<{ answer: Buffer | null }>(sealedAnswer, [tenantId, route, keyHash]);
    return row?.answer ?? null;
  }

  /** False when the answer was replaced or removed since it was read. */
  async reseal({ tenantId, route, keyHash }: SealedAnswerRow, answer: Buffer, anew: Buffer): Promise<boolean> {
    return (await this.database.query(reseal, [tenantId, route, keyHash, answer, anew])).length > 0;
  }
}
