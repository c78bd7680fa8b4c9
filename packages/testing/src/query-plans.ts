// How Postgres runs the statements of a service, in a session as the service opens them. Each is planned once, for any values, as in a
// long-lived connection, unless it asks to be planned for its values.
import type { Client } from 'pg';
import { planNodes, rowsExamined, type PlanNode } from './plan-nodes.js';

interface Statement {
  name: string;
  text: string;
  plannedForValues?: boolean;
}

/** The reads of one table. */
export interface TableRead {
  /** Rows that the plan read, those that a filter removed included. Rounded up, since Postgres reports the average of all loops. */
  rows: number;
  /** Names of indexes; `Seq Scan` and its like where none was used. */
  by: string[];
}

export class QueryPlans {
  private readonly planned = new Set<string>();

  private constructor(private readonly client: Client) {}

  static async open(database: { dedicatedClient(): Promise<Client> }): Promise<QueryPlans> {
    const client = await database.dedicatedClient();
    await client.query('set plan_cache_mode = force_generic_plan');
    return new QueryPlans(client);
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

  /** The reads of each table by the plan that was made. The statement's changes are rolled back. */
  async reads(statement: Statement, values: readonly unknown[]): Promise<Map<string, TableRead>> {
    return readsOf(await this.nodes(statement, values));
  }

  /** The most rows that a step of the plan that was made examines; undone. */
  async largestStep(statement: Statement, values: readonly unknown[]): Promise<number> {
    return Math.max(...(await this.nodes(statement, values)).map(rowsExamined));
  }

  private async nodes({ name, plannedForValues }: Statement, values: readonly unknown[]): Promise<PlanNode[]> {
    await this.client.query('begin');
    if (plannedForValues) await this.client.query('set local plan_cache_mode = force_custom_plan');
    const explained = await this.execute('explain (analyze, format json) execute', name, values);
    await this.client.query('rollback');
    return planNodes(explained.rows as object[]);
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

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : JSON.stringify(value);

const element = (value: unknown) => (value === null ? 'null' : JSON.stringify(textOf(value)));

function readsOf(nodes: readonly PlanNode[]): Map<string, TableRead> {
  const reads = new Map<string, TableRead>();
  for (const node of nodes) {
    const table = node['Relation Name'];
    if (table === undefined || node['Node Type'] === 'ModifyTable') continue;
    const read = reads.get(table) ?? { rows: 0, by: [] };
    const below = node.Plans?.find((child) => child['Index Name'] !== undefined);
    const index = node['Index Name'] ?? below?.['Index Name'] ?? node['Node Type'];
    read.rows += rowsExamined(node);
    if (!read.by.includes(index)) read.by.push(index);
    reads.set(table, read);
  }
  return reads;
}
