// The blocks that a statement reads to find rows by an index: each entry whose row is dead, but may be visible to an old snapshot, costs a look at the row.
import type { Statement } from '@kiln/platform';
import type { JobsHarness } from './jobs-harness.js';

interface PlanNode {
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The blocks that scans of these indexes read. What the statement changes is undone. */
export async function scannedBlocks(
  { database }: JobsHarness,
  { text }: Pick<Statement, 'text'>,
  values: unknown[],
  indexes: readonly string[],
): Promise<number> {
  const client = await database.dedicatedClient();
  await client.query('begin');
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, buffers, format json) ${text}`,
    values,
  );
  await client.end();
  const nodes = rows[0] ? nodesOf(rows[0]['QUERY PLAN'][0].Plan) : [];
  return nodes
    .filter((node) => indexes.includes(node['Index Name'] ?? ''))
    .reduce((sum, node) => sum + node['Shared Hit Blocks'] + node['Shared Read Blocks'], 0);
}
