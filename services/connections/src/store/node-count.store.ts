// Counts the nodes of a connection, some thousands in a statement: of millions one statement would take longer than it may.
import { statement, type Queryable } from '@kiln/platform';

const countSome = statement(
  'node_counts.count_some',
  `with looked_at as materialized (
     select is_file, id, seen_at from node_rows
     where tenant_id = $1 and connection_id = $2 and (is_file, id) > ($3::boolean, $4::uuid)
     order by is_file, id limit $5
   )
   select counted.nodes, counted.unseen, last.is_file, last.id
   from (select count(*)::int as nodes, count(*) filter (where seen_at < $6)::int as unseen from looked_at) counted
     left join lateral (select is_file, id from looked_at order by is_file desc, id desc limit 1) last on true`,
);

interface Counted {
  nodes: number;
  unseen: number;
  is_file: boolean | null;
  id: string | null;
}

const AT_A_TIME = 10_000;
const FIRST = { isFile: false, id: '00000000-0000-0000-0000-000000000000' };

export class NodeCountStore {
  constructor(private readonly database: Queryable) {}

  /** Files and folders; `unseen`: those that no listing has met since `since`. */
  async count(
    { tenantId, connectionId, since }: { tenantId: string; connectionId: string; since: Date },
    signal: AbortSignal,
  ): Promise<{ nodes: number; unseen: number }> {
    const sum = { nodes: 0, unseen: 0 };
    let after: typeof FIRST | null = FIRST;
    while (after !== null) {
      signal.throwIfAborted();
      const place: unknown[] = [tenantId, connectionId, after.isFile, after.id];
      const [row]: Counted[] = await this.database.query<Counted>(countSome, [...place, AT_A_TIME, since]);
      sum.nodes += row?.nodes ?? 0;
      sum.unseen += row?.unseen ?? 0;
      after = nextAfter(row);
    }
    return sum;
  }
}

function nextAfter(counted: Counted | undefined): typeof FIRST | null {
  if (counted?.nodes !== AT_A_TIME || counted.id === null) return null;
  return { isFile: counted.is_file === true, id: counted.id };
}
