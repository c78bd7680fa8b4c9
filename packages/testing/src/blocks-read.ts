// Counts what Postgres reads for a piece of work, whichever statements, triggers and foreign keys read it.

interface Connection {
  query<Row extends object>(statement: { name: string; text: string }, values?: unknown[]): Promise<Row[]>;
}

// Otherwise a session reports what it has read at most once per second.
const REPORT = 'select pg_stat_force_next_flush()';
const BLOCKS = `
  select indexrelname as source, idx_blks_hit + idx_blks_read as blocks from pg_statio_user_indexes where schemaname = current_schema()
  union all
  select relname, heap_blks_hit + heap_blks_read from pg_statio_user_tables where schemaname = current_schema()`;

/**
 * Blocks of each table and index that `work` has read, from memory or disk. `work` runs its statements one after the other, so that they
 * use the same connection of the pool, and nothing else uses the database: call `withoutAutovacuum` first.
 */
export async function blocksRead(database: Connection, work: () => Promise<unknown>): Promise<Map<string, number>> {
  const before = await counted(database);
  await work();
  const after = await counted(database);
  return new Map([...after].map(([source, blocks]) => [source, blocks - (before.get(source) ?? 0)]));
}

async function counted(database: Connection): Promise<Map<string, number>> {
  await database.query({ name: '', text: REPORT });
  const rows = await database.query<{ source: string; blocks: number }>({ name: '', text: BLOCKS });
  return new Map(rows.map(({ source, blocks }) => [source, blocks]));
}
