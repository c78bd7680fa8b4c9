// The first statement of a claim: whose jobs it takes.
import { statement } from '@kiln/platform';

/** A tenant of a claim, and how many of its jobs the claim may take. */
export interface TenantShare {
  tenant_id: string;
  share: number;
}

/**
 * Selects up to $1 tenants with due jobs in the lane $2, the least recently served first, and divides $1 jobs among them. The shares add up
 * to $1. The statement locks the rows of the tenants, so that no other claim takes jobs from them. It skips locked tenants, and the tenants
 * in $3.
 */
export const pickTenants = statement(
  'claims.pick_tenants',
  `select tenant_id, (($1 + count(*) over () - row_number() over (order by served_at, tenant_id)) / count(*) over ())::int as share
   from (
     select tenant_id, served_at from waiting_tenants where lane = $2 and due_at <= now() and tenant_id <> all ($3::uuid[])
     order by served_at, tenant_id limit $1 for no key update skip locked
   ) picked order by served_at, tenant_id`,
);
