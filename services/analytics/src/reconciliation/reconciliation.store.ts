// The last comparison, and the totals that are compared.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { counters, noDrift, type Counts } from './drift.domain.js';

export interface LastPass {
  tenants: number;
  drift: Counts;
  /** Seconds since the comparison. Null before the first one. */
  age_seconds: number | null;
}

/** A pass that is leased to one process. */
export interface ClaimedPass {
  fence: number;
  /** The tenant after which it begins. Null: the first one. */
  after: string | null;
}

const claimPass = statement(
  'reconciliation.claim',
  `update reconciliation set fence = fence + 1, due_at = now() + make_interval(secs => $1)
   where due_at <= now() returning fence, last_tenant_id as after`,
);
const advance = statement(
  'reconciliation.advance',
  `update reconciliation set last_tenant_id = $2, due_at = now() + make_interval(secs => $3)
   where fence = $1 returning 1`,
);
const renew = statement(
  'reconciliation.renew',
  'update reconciliation set due_at = now() + make_interval(secs => $2) where fence = $1 returning 1',
);
const end = statement(
  'reconciliation.end',
  `update reconciliation
   set compared_at = now(), tenants = $2, drift = $3, last_tenant_id = $4, due_at = now() + make_interval(secs => $5)
   where fence = $1 returning 1`,
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
  constructor(private readonly database: Database) {}

  /** Null if no pass is due. */
  async claimPass(leaseSeconds: number): Promise<ClaimedPass | null> {
    const [row] = await this.database.query<ClaimedPass>(claimPass, [leaseSeconds]);
    return row ?? null;
  }

  /** Records that the tenants up to `after` are compared, and renews the lease. False when it is lost. */
  async advance({ fence }: ClaimedPass, after: string, leaseSeconds: number): Promise<boolean> {
    return (await this.database.query(advance, [fence, after, leaseSeconds])).length > 0;
  }

  /** False when the lease is lost. */
  async renew({ fence }: ClaimedPass, leaseSeconds: number): Promise<boolean> {
    return (await this.database.query(renew, [fence, leaseSeconds])).length > 0;
  }

  /** `after`: where the next pass begins; null for the first tenant. False when the lease is lost. */
  async end(
    { fence }: ClaimedPass,
    { tenants, drift, after }: Pick<LastPass, 'tenants' | 'drift'> & { after: string | null },
    pauseSeconds: number,
  ): Promise<boolean> {
    return (await this.database.query(end, [fence, tenants, drift, after, pauseSeconds])).length > 0;
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
