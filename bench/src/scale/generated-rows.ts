// Ids of generated tenants and files, and a fast way to fill a table: its indexes are built at the end, from their own definitions.
import type { Client } from 'pg';

const SLICE = 250_000;

/** SQL: the id number `n`. In the order of numbers, as ids are in the order of time in production. */
export const idOf = (n: string) => `('01800000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
/** SQL: the small tenant number `n`. */
export const tenantOf = (n: string) => `('01900000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** SQL: the id of file `n` of the small tenant `t`. No two tenants share an id: the planner would expect several rows of each. */
export const idOfSmall = (t: string, n: string) =>
  `('01880000-0000-7000-8000-' || lpad(to_hex(${t} * 256 + ${n}), 12, '0'))::uuid`;

const uuid = (prefix: string, n: number) => `${prefix}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
export const fileId = (n: number) => uuid('01800000', n);
export const smallTenantFileId = (t: number, n: number) => uuid('01880000', t * 256 + n);
export const smallTenant = (n: number) => uuid('01900000', n);
export const LARGE_TENANT = uuid('01a00000', 0);

/** How many rows a system has. */
export interface Size {
  /** Files of the large tenant. */
  files: number;
  smallTenants: number;
}

export const FILES_OF_SMALL_TENANT = 10;
export const SMALL_SYSTEM: Size = { files: 20_000, smallTenants: 200 };

/** Runs the statement for the numbers from $1 to $2, slice by slice. */
export async function inSlices(client: Client, count: number, statement: string): Promise<void> {
  for (let first = 1; first <= count; first += SLICE)
    await client.query(statement, [first, Math.min(count, first + SLICE - 1)]);
}

/** Drops the indexes that are no constraints while `fill` runs, and makes them again. */
export async function withoutIndexes(client: Client, table: string, fill: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)
     order by indexrelid`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await fill();
  for (const { definition } of rows) await client.query(definition);
}

/** Copies the rows of the tenant `model` to the small tenants from the second to number `last`. */
export async function copyTenant(
  client: Client,
  tables: readonly string[],
  model: string,
  last: number,
): Promise<void> {
  for (const table of tables) {
    const { rows } = await client.query<{ columns: string }>(
      `select string_agg(attname, ', ' order by attnum) as columns from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and attname <> 'tenant_id' and attgenerated = '' and not attisdropped`,
      [table],
    );
    const columns = rows[0]?.columns ?? '';
    await client.query(
      `insert into ${table} (tenant_id, ${columns})
       select ${tenantOf('t')}, ${columns} from generate_series(2, $1::int) t, ${table} where tenant_id = $2`,
      [last, model],
    );
  }
}
