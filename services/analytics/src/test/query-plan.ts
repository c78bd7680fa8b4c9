// How Postgres runs the statements that a store sends.
import type { Queryable } from '@kiln/platform';
import { QueryPlans, type TableRead } from '@kiln/testing';
import type { AnalyticsHarness } from './analytics-harness.js';

/** The reads of each table by all statements that `use` sends. */
export async function readsOf(
  { database }: AnalyticsHarness,
  use: (recorder: Queryable) => Promise<unknown>,
): Promise<TableReads> {
  const plans = await QueryPlans.open(database);
  const all = new TableReads();
  try {
    await use({
      query: async (statement, values = []) => {
        await plans.plan(statement, values);
        all.add(await plans.reads(statement, values));
        return database.query(statement, values);
      },
    });
  } finally {
    await plans.close();
  }
  return all;
}

class TableReads {
  private readonly reads: [table: string, read: TableRead][] = [];

  add(reads: Iterable<[table: string, read: TableRead]>): void {
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
