// The last comparison, and the totals that are compared.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { EntityManager, MoreThan } from 'typeorm';
import { TenantTotalEntity } from '../rollups/tenant-total.entity.js';
import { noDrift, type Counts } from './drift.domain.js';

export interface LastPass {
  tenants: number;
  drift: Counts;
  /** Seconds since the comparison. Null before the first one. */
  age_seconds: number | null;
}

/** A pass that is leased to one process. */
export interface ClaimedPass {
  fence: number;
  /** The pass begins after this tenant. Null means the first tenant. */
  after: string | null;
}

/** A claim. It raises the fence that the next three statements name: they change nothing once the lease is lost. */
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
/** Computes the age by the clock of the database. */
const readLast = statement(
  'reconciliation.read',
  'select tenants, drift, extract(epoch from now() - compared_at)::float8 as age_seconds from reconciliation',
);

@Injectable()
export class ReconciliationStore {
  constructor(
    private readonly database: Database,
    private readonly manager: EntityManager,
  ) {}

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

  /** `after` is the tenant after which the next pass begins, or null for the first one. Returns false when the lease is lost. */
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
    const rows = await this.manager.find(TenantTotalEntity, {
      select: { tenant_id: true },
      where: { tenant_id: MoreThan(id) },
      order: { tenant_id: 'ASC' },
      take: limit,
    });
    return rows.map((row) => row.tenant_id);
  }

  async totals(tenantId: string): Promise<Counts> {
    return (await this.manager.findOneBy(TenantTotalEntity, { tenant_id: tenantId })) ?? noDrift();
  }
}
