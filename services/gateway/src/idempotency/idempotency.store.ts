// Rows of requests with an Idempotency-Key, shared by all gateways. A row under way belongs to its owner while its lease
// lasts; every write of an owner states that it still is.
import { statement, type Database } from '@kiln/platform';

export interface KeyedRequest {
  tenantId: string;
  /** Name of the row in the route table. */
  route: string;
  keyHash: Buffer;
  /** Fencing token of this run of the request (uuid). */
  owner: string;
}

export type Claim =
  { outcome: 'owned' } | { outcome: 'under way' } | { outcome: 'answered'; fingerprint: Buffer; answer: Buffer };

/** A dead process frees its keys within this, well under the promised 60 s. */
const LEASE = `interval '20 seconds'`;
export const RENEW_INTERVAL_MS = 5_000;
const KEPT = `interval '24 hours'`;
const SWEEP_ROWS_MAX = 5_000;

// The outer select sees the table as it was before: a row that another gateway is just writing reads as under way.
const claim = statement(
  'gateway.claim_idempotency_key',
  `with owned as (
     insert into idempotent_requests as r (tenant_id, route, key_hash, owner, leased_until)
     values ($1, $2, $3, $4, now() + ${LEASE})
     on conflict (tenant_id, route, key_hash) do update
       set owner = excluded.owner, leased_until = excluded.leased_until,
           fingerprint = null, answer = null, kept_until = null
       where r.leased_until < now() and (r.kept_until is null or r.kept_until < now())
     returning 1)
   select exists (select from owned) as owned, r.fingerprint, r.answer
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
   set fingerprint = $5, answer = $6, kept_until = now() + ${KEPT}, leased_until = now()
   where tenant_id = $1 and route = $2 and key_hash = $3 and owner = $4 and answer is null`,
);
const release = statement(
  'gateway.release_idempotency_key',
  `delete from idempotent_requests
   where tenant_id = $1 and route = $2 and key_hash = $3 and owner = $4 and answer is null`,
);
const sweep = statement(
  'gateway.sweep_idempotency_keys',
  `delete from idempotent_requests where (tenant_id, route, key_hash) in (
     select tenant_id, route, key_hash from idempotent_requests
     where coalesce(kept_until, leased_until) < now() limit ${SWEEP_ROWS_MAX} for update skip locked)`,
);

interface ClaimRow {
  owned: boolean;
  fingerprint: Buffer | null;
  answer: Buffer | null;
}

const valuesOf = (request: KeyedRequest) => [request.tenantId, request.route, request.keyHash, request.owner];

export class IdempotencyStore {
  constructor(private readonly database: Database) {}

  async claim(request: KeyedRequest): Promise<Claim> {
    const [row] = await this.database.query<ClaimRow>(claim, valuesOf(request));
    if (row?.owned) return { outcome: 'owned' };
    if (!row?.answer || !row.fingerprint) return { outcome: 'under way' };
    return { outcome: 'answered', fingerprint: row.fingerprint, answer: row.answer };
  }

  async renew(request: KeyedRequest): Promise<void> {
    await this.database.query(renew, valuesOf(request));
  }

  /** Keeps the answer for repeats, for 24 h. Does nothing when the key has passed to another owner. */
  async keep(request: KeyedRequest, fingerprint: Buffer, answer: Buffer): Promise<void> {
    await this.database.query(keep, [...valuesOf(request), fingerprint, answer]);
  }

  /** The key may be used again at once. */
  async release(request: KeyedRequest): Promise<void> {
    await this.database.query(release, valuesOf(request));
  }

  /** Removes what has ended: answers kept long enough, and leases that ran out. */
  async sweep(): Promise<void> {
    await this.database.query(sweep);
  }
}
