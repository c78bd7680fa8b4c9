// The first statement of a claim: whose jobs it takes.
import { statement } from '@kiln/platform';

/** A tenant of a claim, and how many of its jobs the claim may take. */
export interface TenantShare {
  tenant_id: string;
  share: number;
}

/**
 * Shares $1 jobs of the lane $2 among the tenants with due jobs, at most one tenant for each job: those that were served longest ago, in this
 * order. It locks their rows, so that no other claim takes from the same tenants. Tenants that another claim has locked, and those of $3, are
 * left out. The shares add up to $1.
 */
export const pickTenants = statement(
  'claims.pick_tenants',
  `select tenant_id, (($1 + count(*) over () - row_number() over (order by served_at, tenant_id)) / count(*) over ())::int as share
   from (
     select tenant_id, served_at from waiting_tenants where lane = $2 and due_at <= now() and tenant_id <> all ($3::uuid[])
     order by served_at, tenant_id limit $1 for no key update skip locked
   ) picked order by served_at, tenant_id`,
);
