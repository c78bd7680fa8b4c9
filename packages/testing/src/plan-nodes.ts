// The nodes of a plan, as `explain (analyze, format json)` reports them
// (https://www.postgresql.org/docs/current/sql-explain.html).

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** All nodes of the plan that the rows of an EXPLAIN show. */
export function planNodes(explained: readonly object[]): PlanNode[] {
  const [{ 'QUERY PLAN': plans } = { 'QUERY PLAN': [] }] = explained as { 'QUERY PLAN': { Plan: PlanNode }[] }[];
  const [plan] = plans;
  if (!plan) throw new Error('no plan');
  return flatten(plan.Plan);
}

/** The rows that a node has examined: those that it removed included, in all loops. */
export const rowsExamined = (node: PlanNode): number =>
  (node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0)) *
  node['Actual Loops'];
