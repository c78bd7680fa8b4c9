// A page of a listing against the nodes there are.
import { statement, type Queryable } from '@kiln/platform';
import type { ListedObject } from '../domain/listed-nodes.js';

const compare = statement(
  'node_compare.compare',
  `select count(*)::int as met,
     count(*) filter (where n.etag is distinct from g.etag or n.size_bytes is distinct from g.size_bytes)::int as changed
   from unnest($3::text[], $4::bigint[], $5::text[]) as g (path, size_bytes, etag)
     join node_rows n on n.tenant_id = $1 and n.connection_id = $2 and n.path = g.path`,
);
const countFiles = statement(
  'node_compare.count_files',
  'select count(*) as files from node_rows where tenant_id = $1 and connection_id = $2 and is_file',
);

export class NodeCompareStore {
  constructor(private readonly database: Queryable) {}

  /** How many of the objects are nodes, and how many of these have another ETag or size. */
  async compare(
    tenantId: string,
    connectionId: string,
    objects: readonly ListedObject[],
  ): Promise<{ met: number; changed: number }> {
    const columns = [
      objects.map(({ key }) => key),
      objects.map(({ sizeBytes }) => sizeBytes),
      objects.map(({ etag }) => etag),
    ];
    const [row] = await this.database.query<{ met: number; changed: number }>(compare, [
      tenantId,
      connectionId,
      ...columns,
    ]);
    return row ?? { met: 0, changed: 0 };
  }

  async countFiles(tenantId: string, connectionId: string): Promise<number> {
    const [row] = await this.database.query<{ files: number }>(countFiles, [tenantId, connectionId]);
    return row?.files ?? 0;
  }
}
