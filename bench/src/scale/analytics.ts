// Fills the schema of the analytics service with one large tenant and many small ones. The service rebuilds the rollups of the large tenant and of one small
// tenant from their facts. The other small tenants get copies.
import { entities } from '@kiln/analytics/entities';
import { InsightStore } from '@kiln/analytics/insights/insight.store';
import { ShowOverview } from '@kiln/analytics/insights/show-overview.usecase';
import { RebuildRollups } from '@kiln/analytics/rollups/rebuild-rollups.usecase';
import type { Database } from '@kiln/platform';
import type { Client } from 'pg';
import { randomOf, type System } from './compare.js';
import {
  copyTenant,
  FILES_OF_SMALL_TENANT,
  idOf,
  inSlices,
  LARGE_TENANT,
  smallTenant,
  tenantOf,
  type Size,
} from './generated-rows.js';
import { openSchema } from './open-schema.js';

const insertFacts = (tenant: string) => `
  insert into file_facts (tenant_id, file_id, version, status, space, content_type, size_bytes, jobs, variants, created_at)
  select ${tenant}, ${idOf('n')}, n, case when n % 100 = 0 then 'failed' else 'completed' end, 'space-' || n % 2000,
    (array['application/pdf', 'text/markdown', 'image/png', 'audio/mpeg'])[1 + n % 4], n % 5000000, 1, 3,
    now() - interval '1 year' + n * interval '1 s'`;

async function fill(client: Client, database: Database, { files, smallTenants }: Size): Promise<void> {
  await inSlices(client, files, `${insertFacts(`'${LARGE_TENANT}'`)} from generate_series($1::int, $2::int) n`);
  await inSlices(
    client,
    smallTenants,
    `${insertFacts(tenantOf('t'))} from generate_series($1::int, $2::int) t, generate_series(1, ${FILES_OF_SMALL_TENANT}) n`,
  );
  await client.query('vacuum analyze');
  const rebuild = new RebuildRollups(database);
  const model = smallTenant(1);
  for (const tenantId of [LARGE_TENANT, model]) await rebuild.execute(tenantId);
  await copyTenant(client, ['tenant_totals', 'space_totals', 'type_totals', 'activity'], model, smallTenants);
  await client.query('vacuum analyze');
}

export async function openAnalytics(size: Size): Promise<System> {
  const { client, database, close } = await openSchema('analytics', { byIndex: true, entities });
  await fill(client, database, size);
  const shows = new ShowOverview(new InsightStore(database.dataSource.manager));
  const contextOf = (tenantId: string) => {
    const principal = { tenantId, mode: 'live' as const, principal: 'bench', requestId: 'bench' };
    return { ...principal, deadlineAt: Date.now() + 60_000 };
  };
  const aSmallTenant = () => smallTenant(1 + randomOf(size.smallTenants));
  const operations = {
    'analytics overview': () => shows.overview(contextOf(LARGE_TENANT)),
    'analytics overview, of a small tenant': () => shows.overview(contextOf(aSmallTenant())),
    'file types': () => shows.fileTypes(contextOf(LARGE_TENANT)),
    spaces: () => shows.spaces(contextOf(LARGE_TENANT)),
  };
  return { database, operations, close };
}
