// The analytics service: facts of a large tenant, and small tenants. The rollups are made by the service's own rebuild; those of the small tenants
// are copies of one's.
import { entities } from '@kiln/analytics/entities';
import { InsightStore } from '@kiln/analytics/insights/insight.store';
import { ShowOverview } from '@kiln/analytics/insights/show-overview.usecase';
import { RebuildRollups } from '@kiln/analytics/rollups/rebuild-rollups.usecase';
import type { Database } from '@kiln/platform';
import type { Client } from 'pg';
import { randomOf, type System } from './compare.js';
import {
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
  for (const table of ['tenant_totals', 'space_totals', 'type_totals', 'activity']) {
    const { rows } = await client.query<{ columns: string }>(
      `select string_agg(attname, ', ' order by attnum) as columns from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and attname <> 'tenant_id'`,
      [table],
    );
    const columns = rows[0]?.columns ?? '';
    await client.query(
      `insert into ${table} (tenant_id, ${columns})
       select ${tenantOf('t')}, ${columns} from generate_series(2, $1::int) t, ${table} where tenant_id = $2`,
      [smallTenants, model],
    );
  }
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
