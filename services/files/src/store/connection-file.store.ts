// The links from files to the nodes of connected buckets.
import { statement, type Queryable } from '@kiln/platform';
import type { FileRow } from './file.rows.js';

/** Where the bytes of a file lie. */
export interface BucketPlace {
  file_id: string;
  connection_id: string;
  path: string;
}

export interface NodeLink {
  fileId: string;
  nodeId: string;
  path: string;
}

/** The file of a node, if it has one. */
export interface FileOfNode {
  node_id: string;
  file_id: string;
  job_id: string | null;
  status: FileRow['status'];
  source_etag: string | null;
  size_bytes: number | null;
}

const find = statement(
  'connection_files.find',
  `select file_id, connection_id, path from connection_files where tenant_id = $1 and file_id = any($2::uuid[])`,
);
const ofNodes = statement(
  'connection_files.of_nodes',
  `select c.node_id, f.id as file_id, f.job_id, f.status, f.source_etag, f.size_bytes
   from connection_files c join files f on f.tenant_id = c.tenant_id and f.id = c.file_id
   where c.tenant_id = $1 and c.node_id = any($2::uuid[])`,
);
/** A link to a file that can't be seen any more is led to the new one. */
const link = statement(
  'connection_files.link',
  `insert into connection_files (tenant_id, connection_id, file_id, node_id, path)
   select $1, $2, * from unnest($3::uuid[], $4::uuid[], $5::text[])
   on conflict (tenant_id, node_id) do update set file_id = excluded.file_id, path = excluded.path`,
);
/** Who makes files of a connection's nodes does so alone: a node has one file. */
const lock = statement(
  'connection_files.lock',
  `select pg_advisory_xact_lock(hashtextextended('connection ' || $1::text || $2::text, 0))`,
);
const setType = statement(
  'connection_files.set_type',
  `update files set content_type = $3 where tenant_id = $1 and id = $2`,
);

export class ConnectionFileStore {
  constructor(private readonly database: Queryable) {}

  /** Of the files that lie in buckets. */
  async places(tenantId: string, fileIds: readonly string[]): Promise<Map<string, BucketPlace>> {
    const rows = await this.database.query<BucketPlace>(find, [tenantId, fileIds]);
    return new Map(rows.map((row) => [row.file_id, row]));
  }

  async ofNodes(on: Queryable, tenantId: string, nodeIds: readonly string[]): Promise<Map<string, FileOfNode>> {
    const rows = await on.query<FileOfNode>(ofNodes, [tenantId, nodeIds]);
    return new Map(rows.map((row) => [row.node_id, row]));
  }

  /** Until the transaction ends. To be called before `ofNodes` is trusted. */
  async lock(transaction: Queryable, tenantId: string, connectionId: string): Promise<void> {
    await transaction.query(lock, [tenantId, connectionId]);
  }

  async link(
    transaction: Queryable,
    tenantId: string,
    connectionId: string,
    links: readonly NodeLink[],
  ): Promise<void> {
    if (links.length === 0) return;
    await transaction.query(link, [
      tenantId,
      connectionId,
      links.map(({ fileId }) => fileId),
      links.map(({ nodeId }) => nodeId),
      links.map(({ path }) => path),
    ]);
  }

  /** As the first bytes have told it. */
  async setContentType(tenantId: string, fileId: string, contentType: string): Promise<void> {
    await this.database.query(setType, [tenantId, fileId, contentType]);
  }
}
