// Locks the index of a tenant for merges and purges, which alone write its blocks and the row of its totals.
import { statement, type Transaction } from '@kiln/platform';
import { TenantIndexEntity } from './tenant-index.entity.js';

/** Returns false when another transaction holds the lock. The seed keeps these keys apart from the keys of run-fence.store.ts. */
const tryLock = statement(
  'search.try_lock_tenant_index',
  'select pg_try_advisory_xact_lock(hashtextextended($1::text, 1)) as locked',
);

/** Locks until the end of the transaction. Returns null when another process holds the lock: a merge or purge never waits for another. */
export async function lockTenantIndex(transaction: Transaction, tenantId: string): Promise<TenantIndexEntity | null> {
  const [lock] = await transaction.query<{ locked: boolean }>(tryLock, [tenantId]);
  if (!lock?.locked) return null;
  const indexes = transaction.manager.getRepository(TenantIndexEntity);
  const index = await indexes.findOneBy({ tenant_id: tenantId });
  if (index) return index;
  await indexes.insert({ tenant_id: tenantId });
  return indexes.findOneByOrFail({ tenant_id: tenantId });
}
