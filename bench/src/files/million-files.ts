// A tenant with a million files: spaces of all sizes, rare and common statuses, and metadata.
import type { Client } from 'pg';

const SLICE = 20_000;
/** Values of file `n`. */
const SPACE = `case when n % 10 < 6 then 'main' when n % 10 < 9 then 'team-' || n % 97 else 'customer-' || n % 9973 end`;
/** After this many files, each space has at least one. */
const SPACES_CYCLE = 100_000;

async function addSpaces(client: Client, tenantId: string): Promise<void> {
  await client.query(
    `select from hold_spaces($1, array(select distinct ${SPACE} from generate_series(1, ${SPACES_CYCLE}) n))`,
    [tenantId],
  );
  await client.query('vacuum analyze spaces');
}

/** The server generates the rows. The index of names is built at the end, which is faster. */
export async function addFiles(client: Client, tenantId: string, count: number): Promise<void> {
  await client.query('drop index file_names_by_gram');
  await addSpaces(client, tenantId);
  for (let first = 1; first <= count; first += SLICE) {
    await client.query(
      `with added as (
         insert into files (tenant_id, id, space_id, status, filename, content_type, size_bytes, metadata, created_at, updated_at)
         select $1, gen_random_uuid(), s.id,
           case when n % 1009 = 0 then 'failed' when n % 2003 = 0 then 'processing' else 'completed' end,
           (array['report', 'invoice', 'contract', 'Protokoll', 'notes'])[1 + n % 5] || '-' || n || '.pdf',
           'application/pdf', (n::bigint * 7919) % 50000000,
           jsonb_build_object('department', (n % 20)::text, 'customer', (n % 49999)::text),
           '2025-01-01'::timestamptz + n * interval '17 s', '2025-06-01'::timestamptz + (n::bigint * 7919 % 1000003) * interval '11 s'
         from generate_series($2::int, $3::int) n
           join spaces s on s.tenant_id = $1 and s.name = ${SPACE}
         returning tenant_id, id, filename)
       insert into file_names (tenant_id, file_id, name) select tenant_id, id, lower(filename) from added`,
      [tenantId, first, Math.min(count, first + SLICE - 1)],
    );
  }
  await client.query('create index file_names_by_gram on file_names using gin (tenant_id, name_grams(name))');
  await client.query('vacuum analyze files');
  await client.query('vacuum analyze file_names');
}
