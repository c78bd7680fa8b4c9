// Uploads into connected buckets, from their beginning to the node.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { folderId, type ListedNode } from '../nodes/listed-nodes.domain.js';
import { NODE_COLUMNS, type NodeRow } from '../nodes/node.rows.js';
import { NodeUploadEntity } from './node-upload.entity.js';

export type NodeUpload = Omit<NodeUploadEntity, 'expires_at' | 'placed'>;

/** Reads the connection under a lock, so that it is not deleted meanwhile. The id is that of the node with this path, if one exists. */
const begin = statement(
  'node_uploads.begin',
  `insert into node_uploads (tenant_id, id, connection_id, path, content_type, expires_at, placed)
   select c.tenant_id, coalesce(n.id, $2), c.id, $4, $5, now() + make_interval(secs => $6), n.id is not null
   from (select tenant_id, id from connections where tenant_id = $1 and id = $3 and deleted_at is null for share) c
     left join nodes n on n.tenant_id = $1 and n.connection_id = $3 and n.path = $4
   on conflict (tenant_id, id) do update set content_type = excluded.content_type, expires_at = excluded.expires_at
   returning id`,
);
/** Set-based: adds or updates the node and its folders. Does nothing when the connection is deleted. */
const commit = statement(
  'node_uploads.commit',
  `with held as materialized (
     select 1 from connections where tenant_id = $1 and id = $2 and deleted_at is null for share
   ), folders as (
     insert into nodes (tenant_id, connection_id, id, parent_id, is_file, name, path)
     select $1, $2, g.id, g.parent_id, false, g.name, g.path
     from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[]) as g (id, parent_id, name, path), held
     on conflict (tenant_id, connection_id, path) do update set seen_at = now()
   ), placed as (
     update node_uploads u set placed = true from held where u.tenant_id = $1 and u.id = $7::uuid
   )
   insert into nodes as n (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, etag, content_type, last_modified)
   select $1, $2, $7::uuid, $8::uuid, true, $9::text, $10::text, $11::bigint, $12::text, $13::text, $14::timestamptz from held
   on conflict (tenant_id, connection_id, path) do update
     set seen_at = now(), size_bytes = excluded.size_bytes, etag = excluded.etag, content_type = excluded.content_type,
       last_modified = excluded.last_modified, archived_in = null
   returning ${NODE_COLUMNS}`,
);
/** Set-based: a batch of the oldest uploads, without those that another worker has locked. */
const removeExpired = statement(
  'node_uploads.remove_expired',
  `delete from node_uploads u using (
     select tenant_id, id from node_uploads where expires_at < now() - interval '1 day' order by expires_at limit $1 for update skip locked
   ) old where u.tenant_id = old.tenant_id and u.id = old.id returning 1`,
);

@Injectable()
export class NodeUploadStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(NodeUploadEntity) private readonly uploads: Repository<NodeUploadEntity>,
  ) {}

  /** Returns the id of the node; null when the connection does not exist. */
  async begin(upload: NodeUpload, lifeSeconds: number): Promise<string | null> {
    const { tenant_id, id, connection_id, path, content_type } = upload;
    const values = [tenant_id, id, connection_id, path, content_type, lifeSeconds];
    const [row] = await this.database.query<{ id: string }>(begin, values);
    return row?.id ?? null;
  }

  find(tenantId: string, id: string): Promise<NodeUpload | null> {
    return this.uploads.findOneBy({ tenant_id: tenantId, id });
  }

  /** Returns the node, added or updated; null when the connection is deleted. */
  async commit(upload: NodeUpload, folders: readonly ListedNode[], node: ListedNode): Promise<NodeRow | null> {
    const { tenant_id, connection_id } = upload;
    const idOf = (path: string | null) => (path === null ? connection_id : folderId(connection_id, path));
    const [row] = await this.database.query<NodeRow>(commit, [
      tenant_id,
      connection_id,
      folders.map(({ path }) => idOf(path)),
      folders.map(({ parent }) => idOf(parent)),
      folders.map(({ name }) => name),
      folders.map(({ path }) => path),
      upload.id,
      idOf(node.parent),
      node.name,
      node.path,
      node.file?.sizeBytes ?? 0,
      node.file?.etag ?? null,
      upload.content_type ?? node.file?.contentType ?? null,
      node.file?.lastModified ?? null,
    ]);
    return row ?? null;
  }

  /** Removes uploads whose URL expired more than a day ago. Returns how many. */
  async removeExpired(limit: number): Promise<number> {
    return (await this.database.query(removeExpired, [limit])).length;
  }
}
