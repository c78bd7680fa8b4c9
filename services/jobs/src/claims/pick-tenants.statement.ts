// The first statement of a claim: whose jobs it takes.
import { statement } from '@kiln/platform';
import { dueTenants } from './tenant-queue.rows.js';

/** A tenant of a claim, and how many of its jobs the claim may take. */
export interface TenantShare {
  tenant_id: string;
  share: number;
  /** When it was served, in seconds since 1970. */
  served_at: number;
  /** It was not served since it joined the queue. */
  has_joined: boolean;
  /** The place of its row, which stays while the row is locked. */
  row: string;
}

const ranges = { lane: '$2', except: '$3', joinedFrom: '$4', servedFrom: '$5' };
const { joined, served } = dueTenants(ranges);

/**
 * Selects up to $1 tenants with due jobs in the lane $2, the least recently served first, and divides $1 jobs among them. The shares add up
 * to $1. The statement locks the rows of the tenants, so that no other claim takes jobs from them. It skips locked tenants, and the tenants
 * in $3. It begins to read those that have joined at $4, those that were served at $5 (seconds since 1970).
 */
export const pickTenants = statement(
  'claims.pick_tenants',
  `with joined as materialized (
     select tenant_id, served_at, ctid as row ${joined} order by served_at, tenant_id limit $1 for no key update skip locked
   ), served as materialized (
     select tenant_id, served_at, ctid as row ${served} order by served_at, tenant_id
     limit $1 - (select count(*) from joined) for no key update skip locked
   ), picked as (
     select *, true as has_joined from joined union all select *, false from served
   )
   select tenant_id, row::text, has_joined, extract(epoch from served_at)::float8 as served_at,
     (($1 + count(*) over () - row_number() over (order by picked.served_at, tenant_id)) / count(*) over ())::int as share
   from picked order by picked.served_at, tenant_id`,
);
