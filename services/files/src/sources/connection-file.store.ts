// Links from files to the nodes of external buckets.
import { statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { FileEntity } from '../files/file.entity.js';
import { VISIBLE_FILES } from '../files/file.rows.js';
import { ConnectionFileEntity } from './connection-file.entity.js';

/** Where the bytes of a file are. */
export type BucketPlace = Pick<ConnectionFileEntity, 'file_id' | 'connection_id' | 'path'>;

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

  /** Records the type that the first bytes show. */
  async setContentType(tenantId: string, fileId: string, contentType: string): Promise<void> {
    await this.files.update({ tenant_id: tenantId, id: fileId }, { content_type: contentType });
  }
}
