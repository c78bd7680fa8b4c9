// Ten million events of history: half of them states of files, half outcomes of their jobs, over a year. One tenant has 60 % of them,
// two hundred the rest. The rollups are made by the service's own rebuild.
import { RebuildRollups } from '@kiln/analytics/rollups/rebuild-rollups.usecase';
import { Database } from '@kiln/platform';
import type { Client } from 'pg';

const SLICE = 250_000;
const TENANTS = 200;
/** Ids in the order of time, as they are in production. */
const idOf = (n: string) => `('01800000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const tenantOf = (n: string) =>
  `case when ${n} % 10 < 6 then $1::uuid else ('01900000-0000-7000-8000-' || lpad(to_hex(${n} / 10 % ${TENANTS}), 12, '0'))::uuid end`;
/** The first of the two hundred tenants. Each has 0.2 % of the events. */
export const smallTenants = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `01900000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`);
/** Event n of `count` happened this long ago. */
const ago = (n: string, count: string) => `now() - interval '364 days' * (1 - ${n}::float8 / ${count})`;
/** Log-normal, around 400 ms. */
const DURATION = `round(exp(6 + 1.2 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())))::int`;

/** Returns the seconds that the rebuild of the largest tenant took. */
export async function addHistory(
  client: Client,
  database: Database,
  tenantId: string,
  events: number,
): Promise<number> {
  const files = events / 2;
  for (let first = 1; first <= files; first += SLICE) {
    const range = [tenantId, first, Math.min(files, first + SLICE - 1), files];
    await client.query(
      `insert into file_facts
         (tenant_id, file_id, version, status, space, content_type, size_bytes, jobs, variants, created_at)
       select ${tenantOf('n')}, ${idOf('n')}, n, case when n % 100 = 0 then 'failed' else 'completed' end, 'space-' || n % 2000,
         (array['application/pdf', 'text/markdown', 'image/png', 'audio/mpeg'])[1 + n % 4], n % 5000000, 1, 3, ${ago('n', '$4')}
       from generate_series($2::int, $3::int) n`,
      range,
    );
    await client.query(
      `insert into job_outcomes (tenant_id, file_id, job_id, fence, status, ended_at, provider, duration_ms, reason, message,
         filename, is_latest)
       select ${tenantOf('n')}, ${idOf('n')}, ${idOf('n')}, 1, case when n % 100 = 0 then 'failed' else 'completed' end, ${ago('n', '$4')},
         (array['document_extractor', 'image_extractor', 'audio_extractor'])[1 + n % 3],
         case when n % 100 <> 0 then ${DURATION} end,
         case when n % 100 = 0 then (array['corrupt_file', 'timeout', 'unsupported_type'])[1 + n % 3] end,
         case when n % 100 = 0 then 'The file cannot be read.' end, case when n % 100 = 0 then 'report.pdf' end, true
       from generate_series($2::int, $3::int) n`,
      range,
    );
  }
  await client.query('vacuum analyze');
  const rebuild = new RebuildRollups(database);
  const startedAt = performance.now();
  await rebuild.execute(tenantId);
  const seconds = (performance.now() - startedAt) / 1_000;
  for await (const other of rebuild.tenants()) await rebuild.execute(other);
  await client.query('vacuum analyze');
  return seconds;
}
