// Keeps the planner's statistics up to date while tables are new. Until a table is analyzed, which autovacuum does within a minute or
// two, a prepared statement keeps the plan that it got when the table was almost empty, and that plan may read all of the table.
import type pg from 'pg';
import { inCall } from '../bus/current-call.js';

/** Tables of the schema that have doubled since they were analyzed, and have the ten pages that the planner assumes of a new table. */
const OUTGROWN = `
  select string_agg(oid::regclass::text, ', ') as tables from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and pg_relation_size(oid) >= 2 * greatest(relpages, 5) * current_setting('block_size')::integer`;
const FIRST_STATEMENTS = 128;

export class GrowthStatistics {
  private statements = 0;
  private nextAt = FIRST_STATEMENTS;

  constructor(private readonly pool: Pick<pg.Pool, 'query'>) {}

  /** Counts a statement of this process. At 128, 256, 512 and so on, it starts `refresh`. */
  count(): void {
    if (++this.statements < this.nextAt) return;
    this.nextAt *= 2;
    inCall(undefined, () => this.refresh()).catch(() => undefined); // Autovacuum does it later.
  }

  /** Analyzes the tables that have outgrown their statistics, so that Postgres makes the plans of their statements again. */
  async refresh(): Promise<void> {
    const { rows } = await this.pool.query<{ tables: string | null }>(OUTGROWN);
    const tables = rows[0]?.tables ?? null;
    // Another process may be analyzing one of them: it is skipped.
    if (tables !== null) await this.pool.query(`analyze (skip_locked) ${tables}`);
  }
}
