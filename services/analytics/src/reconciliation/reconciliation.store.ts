// The last comparison, and the totals that are compared.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { counters, noDrift, type Counts } from './domain/drift.js';

export interface LastPass {
  tenants: number;
  drift: Counts;
  /** Seconds since the comparison. Null before the first one. */
  age_seconds: number | null;
}

const claimPass = statement(
  'reconciliation.claim',
  'update reconciliation set next_pass_at = now() + make_interval(secs => $1) where next_pass_at <= now() returning last_tenant_id as after',
);
const end = statement(
  'reconciliation.end',
  'update reconciliation set compared_at = now(), tenants = $1, drift = $2, last_tenant_id = $3',
);
const readLast = statement(
  'reconciliation.read',
  'select tenants, drift, extract(epoch from now() - compared_at)::float8 as age_seconds from reconciliation',
);
const page = statement(
  'reconciliation.tenants',
  'select tenant_id as id from tenant_totals where tenant_id > $1 order by tenant_id limit $2',
);
const totals = statement(
  'reconciliation.totals',
  `select ${counters.join(', ')} from tenant_totals where tenant_id = $1`,
);

@Injectable()
export class ReconciliationStore {
  constructor(@Inject(Database) private readonly database: Queryable) {}

  /** The tenant after which the due pass begins. Null if no pass is due. Schedules the next one. */
  async claimPass(intervalSeconds: number): Promise<{ after: string | null } | null> {
    const [row] = await this.database.query<{ after: string | null }>(claimPass, [intervalSeconds]);
    return row ?? null;
  }

  /** `after`: where the next pass begins; null for the first tenant. */
  async end({ tenants, drift, after }: Pick<LastPass, 'tenants' | 'drift'> & { after: string | null }): Promise<void> {
    await this.database.query(end, [tenants, drift, after]);
  }

  async last(): Promise<LastPass | null> {
    const [row] = await this.database.query<LastPass>(readLast);
    return row ?? null;
  }

  async tenantsAfter(id: string, limit: number): Promise<string[]> {
    return (await this.database.query<{ id: string }>(page, [id, limit])).map((row) => row.id);
  }

  async totals(tenantId: string): Promise<Counts> {
    const [row] = await this.database.query<Counts>(totals, [tenantId]);
    return row ?? noDrift();
  }
}
