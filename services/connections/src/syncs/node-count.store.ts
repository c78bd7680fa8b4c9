// Counts nodes of a connection in batches: counting millions in one statement would exceed the statement timeout.
import { Database, statement, type Statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** An aggregate over a keyset page. */
const countStatement = (name: string, condition: string): Statement =>
  statement(
    name,
    `with checked as materialized (
       select is_file, id from nodes
       where tenant_id = $1 and connection_id = $2 and (is_file, id) > ($3::boolean, $4::uuid) ${condition}
       order by is_file, id limit $5
     )
     select counted.nodes, last.is_file, last.id, n.path
     from (select count(*)::int as nodes from checked) counted
       left join lateral (select is_file, id from checked order by is_file desc, id desc limit 1) last on true
       left join nodes n on n.tenant_id = $1 and n.id = last.id`,
  );
/** Reads only an index, where vacuum has been. */
const countAll = countStatement('node_counts.count_all', '');
const countUnlisted = countStatement(
  'node_counts.count_unlisted',
  'and unlisted_since is not null and unlisted_since = $6 and seen_at < $6 and created_at < $7',
);
const countCreatedBefore = countStatement('node_counts.count_created_before', 'and created_at < $6');

/** Of files, since the last completed sync. */
const countNotified = statement(
  'node_counts.count_notified',
  `select nodes_removed as removed from queue_polls
   where tenant_id = $1 and connection_id = $2 and counted_since is not distinct from (
     select id from syncs where tenant_id = $1 and connection_id = $2 and status = 'completed' order by id desc limit 1)`,
);

interface Counted {
  nodes: number;
  is_file: boolean | null;
  id: string | null;
  path: string | null;
}

export interface CountedNodes {
  nodes: number;
  /** The path of one node in 10,000, in no order. Nodes are counted in the order in which they were added, so the paths are spread over all of them. */
  sample: string[];
}

interface Place {
  tenantId: string;
  connectionId: string;
}

const BATCH_SIZE = 10_000;
const FIRST = { isFile: false, id: '00000000-0000-0000-0000-000000000000' };

@Injectable()
export class NodeCountStore {
  constructor(private readonly database: Database) {}

  /** Files and folders, and the files that notifications have removed since the last completed sync. */
  countAll(place: Place, signal: AbortSignal): Promise<CountedNodes> {
    return this.count(countAll, place, [], signal);
  }

  /** The same, of the nodes that were added before this time. */
  async countCreatedBefore(place: Place, createdBefore: Date, signal: AbortSignal): Promise<number> {
    return (await this.count(countCreatedBefore, place, [createdBefore], signal)).nodes;
  }

  /**
   * Files and folders that the listing that began at `since` did not contain, and the files that notifications have removed since the last
   * completed sync: these too count for the largest removal without force.
   */
  async countUnlisted(
    place: Place,
    { since, createdBefore = 'infinity' }: { since: Date; createdBefore?: Date | 'infinity' },
    signal: AbortSignal,
  ): Promise<number> {
    return (await this.count(countUnlisted, place, [since, createdBefore], signal)).nodes;
  }

  private async count(
    counting: Statement,
    { tenantId, connectionId }: Place,
    values: readonly unknown[],
    signal: AbortSignal,
  ): Promise<CountedNodes> {
    const [notified] = await this.database.query<{ removed: number }>(countNotified, [tenantId, connectionId]);
    let nodes = notified?.removed ?? 0;
    const sample: string[] = [];
    let after: typeof FIRST | null = FIRST;
    while (after !== null) {
      signal.throwIfAborted();
      const position: unknown[] = [tenantId, connectionId, after.isFile, after.id, BATCH_SIZE];
      const [row]: Counted[] = await this.database.query<Counted>(counting, [...position, ...values]);
      nodes += row?.nodes ?? 0;
      after = nextAfter(row);
      if (after !== null && row?.path != null) sample.push(row.path);
    }
    return { nodes, sample };
  }
}

function nextAfter(counted: Counted | undefined): typeof FIRST | null {
  if (counted?.nodes !== BATCH_SIZE || counted.id === null) return null;
  return { isFile: counted.is_file === true, id: counted.id };
}
