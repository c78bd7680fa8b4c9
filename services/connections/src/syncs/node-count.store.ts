// Counts the nodes of a connection in batches: counting millions in one statement would exceed the statement timeout.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** An aggregate over a keyset page. */
const countSome = statement(
  'node_counts.count_some',
  `with checked as materialized (
     select is_file, id, seen_at from nodes
     where tenant_id = $1 and connection_id = $2 and (is_file, id) > ($3::boolean, $4::uuid)
     order by is_file, id limit $5
   )
   select counted.nodes, counted.unseen, last.is_file, last.id
   from (select count(*)::int as nodes, count(*) filter (where seen_at < $6)::int as unseen from checked) counted
     left join lateral (select is_file, id from checked order by is_file desc, id desc limit 1) last on true`,
);

/** Of files, since the last completed sync. */
const countNotified = statement(
  'node_counts.count_notified',
  `select nodes_removed as removed from queue_polls
   where tenant_id = $1 and connection_id = $2 and counted_since is not distinct from (
     select id from syncs where tenant_id = $1 and connection_id = $2 and status = 'completed' order by id desc limit 1)`,
);

interface Counted {
  nodes: number;
  unseen: number;
  is_file: boolean | null;
  id: string | null;
}

const BATCH_SIZE = 10_000;
const FIRST = { isFile: false, id: '00000000-0000-0000-0000-000000000000' };

@Injectable()
export class NodeCountStore {
  constructor(private readonly database: Database) {}

  /**
   * Counts files and folders, and those that no listing has contained since `since`. Both include the files that notifications have removed since
   * the last completed sync, so that those count for the largest removal without force.
   */
  async count(
    { tenantId, connectionId, since }: { tenantId: string; connectionId: string; since: Date },
    signal: AbortSignal,
  ): Promise<{ nodes: number; unseen: number }> {
    const [notified] = await this.database.query<{ removed: number }>(countNotified, [tenantId, connectionId]);
    const sum = { nodes: notified?.removed ?? 0, unseen: notified?.removed ?? 0 };
    let after: typeof FIRST | null = FIRST;
    while (after !== null) {
      signal.throwIfAborted();
      const place: unknown[] = [tenantId, connectionId, after.isFile, after.id];
      const [row]: Counted[] = await this.database.query<Counted>(countSome, [...place, BATCH_SIZE, since]);
      sum.nodes += row?.nodes ?? 0;
      sum.unseen += row?.unseen ?? 0;
      after = nextAfter(row);
    }
    return sum;
  }
}

function nextAfter(counted: Counted | undefined): typeof FIRST | null {
  if (counted?.nodes !== BATCH_SIZE || counted.id === null) return null;
  return { isFile: counted.is_file === true, id: counted.id };
}
