// Nodes as their owner sees them: folders before files, each in the order of their ids. Reads the view `visible_nodes`, which hides the nodes
// of deleted connections; a repository would read the table.
import { Database, statement, type Statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { NODE_COLUMNS, type NodeRow } from './node.rows.js';
import { keepRemoved } from './removed-nodes.statement.js';

export interface NodeQuery {
  tenantId: string;
  connectionId?: string | undefined;
  /** The connection's id for the top level. */
  parentId?: string | undefined;
  isFile?: boolean | undefined;
  /** The last node of the previous page. */
  after?: { isFile: boolean; id: string } | undefined;
  limit: number;
}

/** Each combination of filters is a separate statement, so that the planner sees only the conditions that apply. */
function listStatement(query: NodeQuery): { statement: Statement; values: unknown[] } {
  const { tenantId, connectionId, parentId, isFile, after, limit } = query;
  const values: unknown[] = [tenantId, limit];
  const conditions = ['tenant_id = $1'];
  const parts: string[] = [];
  const add = (part: string, value: unknown, condition: string) => {
    if (value === undefined) return;
    values.push(value);
    parts.push(part);
    conditions.push(condition.replace('?', `$${values.length}`));
  };
  add('connection', connectionId, 'connection_id = ?');
  add('parent', parentId, 'parent_id = ?');
  add('type', isFile, 'is_file = ?');
  if (after !== undefined) {
    values.push(after.isFile, after.id);
    parts.push('after');
    conditions.push(`(is_file, id) > ($${values.length - 1}::boolean, $${values.length}::uuid)`);
  }
  const text = `select ${NODE_COLUMNS} from visible_nodes where ${conditions.join(' and ')} order by is_file, id limit $2`;
  return { statement: statement(['nodes.list', ...parts].join('.'), text), values };
}

/** Reads the view. */
const find = statement('nodes.find', `select ${NODE_COLUMNS} from visible_nodes where tenant_id = $1 and id = $2`);
const filesAfter = statement(
  'nodes.files_after',
  `select ${NODE_COLUMNS} from visible_nodes
   where tenant_id = $1 and connection_id = $2 and is_file and id > $3 and archived_in is null order by is_file, id limit $4`,
);
const selected = statement(
  'nodes.selected',
  `select ${NODE_COLUMNS} from visible_nodes
   where tenant_id = $1 and connection_id = $2 and id = any($3::uuid[]) and is_file and archived_in is null and excluded_by is null`,
);
/** Their versions count as not selected. A node that is gone, and returns, gets the version that was selected with its id. */
const forgetSelection = statement(
  'nodes.forget_selection',
  `with gone as (
     update removed_nodes set selected_version = null
     where tenant_id = $1 and connection_id = $2 and id = any($3::uuid[]) and selected_version is not null
   )
   update nodes set selected_version = null
   where tenant_id = $1 and connection_id = $2 and id = any($3::uuid[]) and selected_version is not null`,
);
/** Never deletes a node of a deleted connection. */
const remove = statement(
  'nodes.remove',
  `with held as materialized (
     select c.id from nodes n join connections c on c.tenant_id = $1 and c.id = n.connection_id
     where n.tenant_id = $1 and n.id = $2 and c.deleted_at is null for share of c
   ), removed as (
     delete from nodes n using held where n.tenant_id = $1 and n.id = $2 returning n.*
   )
   ${keepRemoved('removed', true)}`,
);
/** Deletes a batch of the nodes below a path. `$4` is the smallest text after every path in the folder. */
const removeWithin = statement(
  'nodes.remove_within',
  `with held as materialized (
     select 1 from connections where tenant_id = $1 and id = $2 and deleted_at is null for share
   ), batch as materialized (
     select n.id from held cross join lateral (
       select id from nodes where tenant_id = $1 and connection_id = $2 and path > $3 and path < $4 limit $5
     ) n
   ), removed as (
     delete from nodes n using batch b where n.tenant_id = $1 and n.id = b.id returning n.*
   ), kept as (
     ${keepRemoved('removed', true)}
   )
   select count(*)::int as nodes from removed`,
);

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class NodeStore {
  constructor(private readonly database: Database) {}

  list(query: NodeQuery): Promise<NodeRow[]> {
    const { statement, values } = listStatement(query);
    return this.database.query<NodeRow>(statement, values);
  }

  async find(tenantId: string, id: string): Promise<NodeRow | null> {
    const [row] = await this.database.query<NodeRow>(find, [tenantId, id]);
    return row ?? null;
  }

  /** Files of a connection that can be read, in the order of their ids, after one of them. */
  filesAfter(tenantId: string, connectionId: string, after: string | null, limit: number): Promise<NodeRow[]> {
    return this.database.query<NodeRow>(filesAfter, [tenantId, connectionId, after ?? FIRST_ID, limit]);
  }

  /** The files among these nodes that can be read and that the rules of the connection select. */
  selected(tenantId: string, connectionId: string, ids: readonly string[]): Promise<NodeRow[]> {
    return this.database.query<NodeRow>(selected, [tenantId, connectionId, ids]);
  }

  /** The next sync that finds one of these nodes, and whose connection selects it, selects it again. Idempotent. */
  async forgetSelection(tenantId: string, connectionId: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.database.query(forgetSelection, [tenantId, connectionId, ids]);
  }

  async remove(tenantId: string, id: string): Promise<void> {
    await this.database.query(remove, [tenantId, id]);
  }

  /** Removes at most `limit` nodes in a folder. Returns how many. */
  async removeWithin({ tenant_id, connection_id, path }: NodeRow, limit: number): Promise<number> {
    const end = `${path.slice(0, -1)}0`;
    const values = [tenant_id, connection_id, path, end, limit];
    const [row] = await this.database.query<{ nodes: number }>(removeWithin, values);
    return row?.nodes ?? 0;
  }
}
