// How Postgres runs a statement of this service, in a session as the service opens them.
import type { Statement } from '@kiln/platform';
import type { JobsHarness } from './jobs-harness.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** What was read of one table. */
export interface TableRead {
  /** Those that a filter removed included; rounded up, since Postgres reports the average of all loops. */
  rows: number;
  /** Names of indexes; `Seq Scan` and its like where none was used. */
  by: string[];
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

export class QueryPlans {
  private readonly planned = new Set<string>();

  private constructor(private readonly client: Awaited<ReturnType<JobsHarness['database']['dedicatedClient']>>) {}

  static async open(kiln: JobsHarness): Promise<QueryPlans> {
    return new QueryPlans(await kiln.database.dedicatedClient());
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** Makes the plan of a statement, which is kept, and undoes what the statement did. */
  async plan({ name, text }: Statement, values: readonly unknown[]): Promise<void> {
    if (this.planned.has(name)) await this.client.query(`deallocate "${name}"`);
    this.planned.add(name);
    await this.client.query(`begin; prepare "${name}" as ${text}`);
    await this.execute(`execute`, name, values);
    await this.client.query('rollback');
  }

  /** What the statement reads of each table by the plan that was made; undone. */
  async reads({ name }: Statement, values: readonly unknown[]): Promise<Map<string, TableRead>> {
    await this.client.query('begin');
    const explained = await this.execute('explain (analyze, format json) execute', name, values);
    await this.client.query('rollback');
    const [{ 'QUERY PLAN': plans } = { 'QUERY PLAN': [] }] = explained.rows as { 'QUERY PLAN': { Plan: PlanNode }[] }[];
    const [plan] = plans;
    if (!plan) throw new Error('no plan');
    return readsOf(flatten(plan.Plan));
  }

  private execute(command: string, name: string, values: readonly unknown[]) {
    const literals = values.map(literal);
    return this.client.query(`${command} "${name}"${literals.length > 0 ? ` (${literals.join()})` : ''}`);
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  const text = Array.isArray(value) ? `{${value.map(element).join()}}` : textOf(value);
  return `'${text.replaceAll("'", "''")}'`;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const element = (value: unknown) => (value === null ? 'null' : JSON.stringify(textOf(value)));

function readsOf(nodes: readonly PlanNode[]): Map<string, TableRead> {
  const reads = new Map<string, TableRead>();
  for (const node of nodes) {
    const table = node['Relation Name'];
    if (table === undefined || node['Node Type'] === 'ModifyTable') continue;
    const read = reads.get(table) ?? { rows: 0, by: [] };
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    const below = node.Plans?.find((child) => child['Index Name'] !== undefined);
    const index = node['Index Name'] ?? below?.['Index Name'] ?? node['Node Type'];
    read.rows += (node['Actual Rows'] + removed) * node['Actual Loops'];
    if (!read.by.includes(index)) read.by.push(index);
    reads.set(table, read);
  }
  return reads;
}
