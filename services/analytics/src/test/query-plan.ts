// How Postgres runs the statements that a store sends.
import type { Statement } from '@kiln/platform';
import { QueryPlans, type TableRead } from '@kiln/testing';
import type { AnalyticsHarness } from './analytics-harness.js';

/** The reads of each table by all statements that `use` sends. */
export async function readsOf(
  { database }: AnalyticsHarness,
  use: (recorder: never) => Promise<unknown>,
): Promise<TableReads> {
  const plans = await QueryPlans.open(database);
  const all = new TableReads();
  try {
    const record = async (statement: Statement, values: unknown[] = []) => {
      await plans.plan(statement, values);
      all.add(await plans.reads(statement, values));
    };
    const runner = database.dataSource.createQueryRunner();
    const send = runner.query.bind(runner) as (
      text: string,
      values?: unknown[],
      structured?: boolean,
    ) => Promise<never>;
    runner.query = async (text: string, values?: unknown[], structured?: boolean) => {
      // The driver sends it without a name, so it is planned for its values.
      await record({ name: 'repository', text, plannedForValues: true }, values);
      return send(text, values, structured);
    };
    const query = async (statement: Statement, values?: unknown[]) => {
      await record(statement, values);
      return database.query(statement, values);
    };
    const recorder = { query, dataSource: { manager: database.dataSource.createEntityManager(runner) } };
    await use(recorder as never).finally(() => runner.release());
  } finally {
    await plans.close();
  }
  return all;
}

class TableReads {
  statements = 0;
  private readonly reads: [table: string, read: TableRead][] = [];

  add(reads: Iterable<[table: string, read: TableRead]>): void {
    this.statements++;
    this.reads.push(...reads);
  }

  get tables(): string[] {
    return [...new Set(this.reads.map(([table]) => table))].toSorted();
  }

  get rows(): number {
    return this.reads.reduce((sum, [, { rows }]) => sum + rows, 0);
  }

  /** Tables that were read without an index. */
  get scanned(): string[] {
    return this.reads.flatMap(([table, { by }]) => (by.includes('Seq Scan') ? [table] : []));
  }
}
