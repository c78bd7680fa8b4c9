// Links from files to the nodes of external buckets.
import { statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { FileEntity } from '../files/file.entity.js';
import { VISIBLE_FILES } from '../files/file.rows.js';
import { ConnectionFileEntity } from './connection-file.entity.js';

/** Where the bytes of a file are. */
export type BucketPlace = Pick<ConnectionFileEntity, 'file_id' | 'connection_id' | 'node_id' | 'path'>;

export interface NodeLink {
  fileId: string;
  nodeId: string;
  path: string;
}

/** The file of a node, if it has one. */
export type FileOfNode = Pick<ConnectionFileEntity, 'node_id' | 'file_id'> &
  Pick<FileEntity, 'job_id' | 'status' | 'source_etag' | 'size_bytes'>;

/** A join with the visible files. */
const ofNodes = statement(
  'connection_files.of_nodes',
  `select c.node_id, f.id as file_id, f.job_id, f.status, f.source_etag, f.size_bytes
   from connection_files c join (${VISIBLE_FILES}) on f.tenant_id = c.tenant_id and f.id = c.file_id
   where c.tenant_id = $1 and c.node_id = any($2::uuid[])`,
);
/** Set-based. If the file of a node is no longer visible, its link changes to the new file. */
const link = statement(
  'connection_files.link',
  `insert into connection_files (tenant_id, connection_id, file_id, node_id, path)
   select $1, $2, * from unnest($3::uuid[], $4::uuid[], $5::text[])
   on conflict (tenant_id, node_id) do update set file_id = excluded.file_id, path = excluded.path`,
);

/** Set-based. An event that arrives after a later one changes nothing. Returns the former paths. */
const move = statement(
  'connection_files.move',
  `update connection_files c set path = m.path, moved_at = $5
   from unnest($3::uuid[], $4::text[]) as m (node_id, path)
     join connection_files former on former.tenant_id = $1 and former.node_id = m.node_id
   where c.tenant_id = $1 and c.connection_id = $2 and c.node_id = m.node_id and (c.moved_at is null or c.moved_at < $5)
   returning c.file_id, c.node_id, former.path as former_path`,
);

/** A file whose object has another key. */
export interface MovedFile {
  file_id: string;
  node_id: string;
  former_path: string;
}

@Injectable()
export class ConnectionFileStore {
  constructor(
    @InjectRepository(ConnectionFileEntity) private readonly links: Repository<ConnectionFileEntity>,
    @InjectRepository(FileEntity) private readonly files: Repository<FileEntity>,
  ) {}

  /** Returns where the bytes of the files in external buckets are. */
  async places(tenantId: string, fileIds: readonly string[]): Promise<Map<string, BucketPlace>> {
    const rows = await this.links.findBy({ tenant_id: tenantId, file_id: In(fileIds) });
    return new Map(rows.map((row) => [row.file_id, row]));
  }

  async ofNodes(on: Queryable, tenantId: string, nodeIds: readonly string[]): Promise<Map<string, FileOfNode>> {
    const rows = await on.query<FileOfNode>(ofNodes, [tenantId, nodeIds]);
    return new Map(rows.map((row) => [row.node_id, row]));
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

  /** Changes the paths of the nodes. Returns the files that were linked to another path. */
  move(
    transaction: Queryable,
    { tenantId, connectionId, movedAt }: { tenantId: string; connectionId: string; movedAt: Date },
    nodes: readonly { nodeId: string; path: string }[],
  ): Promise<MovedFile[]> {
    const columns = [nodes.map(({ nodeId }) => nodeId), nodes.map(({ path }) => path)];
    return transaction.query<MovedFile & Record<string, unknown>>(move, [tenantId, connectionId, ...columns, movedAt]);
  }

  /** Changes the path of a link that has not changed since it was read. */
  async correct(tenantId: string, { file_id, node_id, path: former }: BucketPlace, path: string): Promise<void> {
    await this.links.update({ tenant_id: tenantId, file_id, node_id, path: former }, { path });
  }

  /** Records the type that the first bytes show. */
  async setContentType(tenantId: string, fileId: string, contentType: string): Promise<void> {
    await this.files.update({ tenant_id: tenantId, id: fileId }, { content_type: contentType });
  }
}
