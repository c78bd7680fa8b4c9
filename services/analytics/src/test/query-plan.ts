// How Postgres runs the statements that a store sends.
import type { Queryable, Statement } from '@kiln/platform';
import type { AnalyticsHarness } from './analytics-harness.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

export interface Read {
  table: string;
  by: string;
  /** Including those that a filter has removed. */
  rows: number;
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** What all statements that `use` sends read together. Each is prepared and planned for any values, as in a long-lived connection. */
export async function readsOf(
  { database }: AnalyticsHarness,
  use: (recorder: Queryable) => Promise<unknown>,
): Promise<Read[]> {
  const client = await database.dedicatedClient();
  const reads: Read[] = [];
  const explaining: Queryable = {
    query: async ({ text }: Statement, values: unknown[] = []) => {
      const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
        text: `explain (analyze, format json) ${text}`,
        values,
      });
      const [row] = explained.rows;
      if (row) reads.push(...flatten(row['QUERY PLAN'][0].Plan).flatMap(readOf));
      return (await client.query({ text, values })).rows;
    },
  };
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await use(explaining);
  } finally {
    await client.end();
  }
  return reads;
}

function readOf(node: PlanNode): Read[] {
  const table = node['Relation Name'];
  if (table === undefined || node['Node Type'] === 'ModifyTable') return [];
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return [{ table, by: node['Node Type'], rows: (node['Actual Rows'] + removed) * node['Actual Loops'] }];
}

export const rowsOf = (reads: readonly Read[]) => reads.reduce((sum, { rows }) => sum + rows, 0);
