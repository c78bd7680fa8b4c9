// The disk space of a file in Postgres, by table and its indexes: small markdown files go through a launched system until all are completed and
// searchable. After `vacuum full`, which removes the space of former rows, and without what the system has before the first file. The last line also has
// the sizes before it: space that later rows use again. `npm run bench:storage [FILES]`
import { startSystem } from '@kiln/dev/start-system';
import pg from 'pg';
import { storeFiles } from '../stored-files.js';

const FILES = Number(process.argv[2] ?? 3_000);
const WORDS_PER_FILE = 300;
/** Smaller tables are counted together. */
const SHOWN_BYTES = 10;

interface TableSize {
  /** Of a partition, that of its table. */
  name: string;
  table_bytes: number;
  index_bytes: number;
}

/** Partitions are counted with their table. */
const SIZES = `
  select n.nspname || '.' || coalesce(p.relname, c.relname) as name,
    sum(pg_table_size(c.oid))::float8 as table_bytes, sum(pg_indexes_size(c.oid))::float8 as index_bytes
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
  where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
  group by 1`;

async function sizesOf(client: pg.Client): Promise<Map<string, TableSize>> {
  const { rows } = await client.query<TableSize>(SIZES);
  return new Map(rows.map((row) => [row.name, row]));
}

const total = (sizes: ReadonlyMap<string, TableSize>) =>
  [...sizes.values()].reduce((sum, { table_bytes, index_bytes }) => sum + table_bytes + index_bytes, 0);

/** A vocabulary of 5,000 words, of which few are frequent, as in a language. The same at each run. */
function textOf(file: number): string {
  let state = file + 1;
  const words = Array.from({ length: WORDS_PER_FILE }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return `word${Math.floor(5_000 * (state / 2_147_483_647) ** 3)}`;
  });
  return `# Report ${file}\n\n${words.join(' ')}.\n`;
}

async function main(): Promise<void> {
  const system = await startSystem();
  const client = new pg.Client(system.runJson().postgres.url);
  try {
    await client.connect();
    const account = { baseUrl: system.baseUrl, apiKey: system.apiKey };
    await storeFiles(account, [{ filename: 'first.md', text: '# First' }]);
    await client.query('vacuum full');
    const before = await sizesOf(client);
    const files = Array.from({ length: FILES }, (_, file) => ({ filename: `report-${file}.md`, text: textOf(file) }));
    await storeFiles(account, files);
    const grown = total(await sizesOf(client)) - total(before);
    await client.query('vacuum full');
    const added = [...(await sizesOf(client)).values()].map(({ name, table_bytes, index_bytes }) => ({
      name,
      table: (table_bytes - (before.get(name)?.table_bytes ?? 0)) / FILES,
      indexes: (index_bytes - (before.get(name)?.index_bytes ?? 0)) / FILES,
    }));
    const bySize = added.toSorted((a, b) => b.table + b.indexes - a.table - a.indexes);
    for (const { name, table, indexes } of bySize)
      if (table + indexes >= SHOWN_BYTES) console.log(`${name}: ${table.toFixed(0)} + ${indexes.toFixed(0)} bytes`);
    const sum = (key: 'table' | 'indexes') => added.reduce((all, size) => all + size[key], 0).toFixed(0);
    console.log(
      `${FILES} files of ${textOf(0).length} bytes: tables ${sum('table')}, indexes ${sum('indexes')} bytes a file`,
    );
    console.log(`before vacuum full: ${(grown / FILES).toFixed(0)} bytes a file`);
  } finally {
    await client.end();
    await system.stop();
  }
}

await main();
