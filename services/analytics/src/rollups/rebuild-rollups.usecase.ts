// Corrects the rollups of tenants to what their facts contribute, while the service answers and records events. One statement corrects each
// rollup: it adds the difference. So changes of the same moment are neither lost nor counted twice, and a repeat changes nothing.
import { statement, type Database } from '@kiln/platform';
import { rollups } from './rollups.statements.js';

/** The next tenant after $1 that has facts or rollups. A union over four tables. */
const nextTenant = statement(
  'rollups.next_tenant',
  `select min(tenant_id::text)::uuid as id from (
     (select tenant_id from file_facts where tenant_id > $1 order by tenant_id limit 1)
     union all (select tenant_id from job_outcomes where tenant_id > $1 order by tenant_id limit 1)
     union all (select tenant_id from connection_facts where tenant_id > $1 order by tenant_id limit 1)
     union all (select tenant_id from tenant_totals where tenant_id > $1 order by tenant_id limit 1)) next`,
);
const corrections = rollups.map(({ table, correction }) => ({
  table,
  correction: statement(`rollups.correct.${table}`, correction),
}));

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export class RebuildRollups {
  constructor(private readonly database: Database) {}

  /** All tenants, in the order of their ids. */
  async *tenants(): AsyncGenerator<string> {
    for (let id: string | null = BEFORE_ALL; id !== null;) {
      const [next]: { id: string | null }[] = await this.database.query<{ id: string | null }>(nextTenant, [id]);
      id = next?.id ?? null;
      if (id !== null) yield id;
    }
  }

  /** Returns how many rows of each rollup were wrong, for those that had any. */
  async execute(tenantId: string): Promise<Record<string, number>> {
    const corrected: Record<string, number> = {};
    for (const { table, correction } of corrections) {
      const rows = await this.database.transaction(async (transaction) => {
        // Two rebuilds at once would add a difference twice.
        await transaction.lock('kiln_analytics_rebuild');
        return transaction.query(correction, [tenantId]);
      });
      if (rows.length > 0) corrected[table] = rows.length;
    }
    return corrected;
  }
}
