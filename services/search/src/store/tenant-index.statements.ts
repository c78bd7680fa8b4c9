// The row that describes a tenant's merged passages, and the lock of those who write it and the blocks: merges and purges.
import { statement, type Transaction } from '@kiln/platform';

/** Answers false when another transaction holds it. The seed keeps the key apart from those of refused-run.store.ts. */
const tryLock = statement(
  'search.try_lock_tenant_index',
  'select pg_try_advisory_xact_lock(hashtextextended($1::text, 1)) as locked',
);
const register = statement(
  'search.register_tenant_index',
  'insert into tenant_index (tenant_id) values ($1) on conflict do nothing',
);
const read = statement('search.read_tenant_index', 'select * from tenant_index where tenant_id = $1');

export interface TenantIndex {
  next_number: number;
  chunks: number;
  titles: number;
  removed_chunks: number;
  removed_titles: number;
  partial_file_id: string | null;
  purge_term: string | null;
  purge_first: number | null;
}

/** Null when another process is at work on this tenant: it is never waited for. Held to the end of the transaction. */
export async function lockTenantIndex(transaction: Transaction, tenantId: string): Promise<TenantIndex | null> {
  const [lock] = await transaction.query<{ locked: boolean }>(tryLock, [tenantId]);
  if (!lock?.locked) return null;
  const [known] = await transaction.query<TenantIndex>(read, [tenantId]);
  if (known) return known;
  await transaction.query(register, [tenantId]);
  const [registered] = await transaction.query<TenantIndex>(read, [tenantId]);
  return registered ?? null;
}
