import { eventually } from '@kiln/dev';

interface Connection {
  query<Row extends object>(statement: { name: string; text: string }): Promise<Row[]>;
}

const DISABLE = `do $$
  declare found record;
  begin
    for found in select oid::regclass as name from pg_class where relnamespace = current_schema()::text::regnamespace and relkind = 'r' loop
      execute format('alter table %s set (autovacuum_enabled = false)', found.name);
    end loop;
  end $$`;
const WORKERS = `select count(*)::int as workers from pg_stat_activity
  where datname = current_database() and backend_type = 'autovacuum worker'`;

/**
 * Keeps autovacuum from the tables of the current schema, and waits until no worker is left. Postgres counts what it reads as it counts the
 * reads of a spec.
 */
export async function withoutAutovacuum(database: Connection): Promise<void> {
  await database.query({ name: '', text: DISABLE });
  await eventually(async () => {
    const [row] = await database.query<{ workers: number }>({ name: '', text: WORKERS });
    return row?.workers === 0;
  });
}
