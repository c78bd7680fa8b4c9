// Facts about connections, and what they contribute to rollups, in one statement.
import { statement, type Transaction } from '@kiln/platform';
import { applyRollups } from '../rollups/rollups.statements.js';
import type { ConnectionFactEntity } from './connection-fact.entity.js';

/** Set-based, and in one statement with the rollups. $1 to $3 are the columns of the connections. Nothing replaces a deletion. */
const record = statement(
  'facts.record_connections',
  `with given as (
     select tenant_id, connection_id, bool_or(deleted) as deleted
     from unnest($1::uuid[], $2::uuid[], $3::boolean[]) as given (tenant_id, connection_id, deleted) group by 1, 2
   ), before as materialized (
     select f.tenant_id, f.connection_id, f.deleted from given join connection_facts f using (tenant_id, connection_id)
   ), recorded as (
     insert into connection_facts as f (tenant_id, connection_id, deleted) select * from given
     on conflict (tenant_id, connection_id) do update set deleted = true where excluded.deleted and not f.deleted
     returning tenant_id, connection_id, deleted
   ), connection_changes as materialized (
     select 1 as sign, tenant_id, deleted from recorded
     union all
     select -1, tenant_id, before.deleted from before join recorded using (tenant_id, connection_id)
   ), ${applyRollups('connection_changes')}
   select`,
);

/** Safe to repeat, in any order. The transaction holds the lock of all changes. */
export async function recordConnections(
  transaction: Transaction,
  connections: readonly ConnectionFactEntity[],
): Promise<void> {
  await transaction.query(record, [
    connections.map(({ tenant_id: tenantId }) => tenantId),
    connections.map(({ connection_id: connectionId }) => connectionId),
    connections.map(({ deleted }) => deleted),
  ]);
}
