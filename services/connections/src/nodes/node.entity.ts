import type { RuleName } from '@kiln/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A file or folder of a bucket, as the last sync found it. There is no foreign key to the connection: a connection is deleted at once,
 * its millions of nodes in batches. Statements that serve users read the view `visible_nodes`, which leaves out the nodes of deleted connections.
 * Fill factor 85, so that marking a row as seen stays in its heap page.
 */
@Entity('nodes')
@Check('nodes_size_bytes_check', 'size_bytes >= 0')
@Check('nodes_check', 'is_file = (size_bytes is not null)')
@Index('nodes_by_path', ['tenant_id', 'connection_id', 'path'], { unique: true })
@Index('nodes_of_tenant', ['tenant_id', 'is_file', 'id'])
@Index('nodes_of_connection', ['tenant_id', 'connection_id', 'is_file', 'id'])
@Index('nodes_unlisted', ['tenant_id', 'connection_id', 'is_file', 'id'], { where: 'unlisted_since IS NOT NULL' })
@Index('nodes_selectable', ['tenant_id', 'connection_id', 'created_at', 'id'], {
  where:
    "is_file AND excluded_by IS NULL AND archived_in IS NULL AND selected_version IS DISTINCT FROM ((COALESCE(etag, ''::text) || '/'::text) || size_bytes::text)",
})
@Index('nodes_of_parent', ['tenant_id', 'parent_id', 'is_file', 'id'])
export class NodeEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The id of a folder follows from connection and path. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  connection_id!: string;

  /** The folder of the node. At the top level it is the id of the connection, so that one index serves both. */
  @Column('uuid')
  parent_id!: string;

  /** False for folders, which are listed first. */
  @Column('boolean')
  is_file!: boolean;

  @Column('text')
  name!: string;

  /** The key in the bucket. The key of a folder ends in a slash, so that it never equals the key of a file. */
  @Column({ type: 'text', collation: 'C' })
  path!: string;

  /** Null for folders. */
  @Column('bigint', { nullable: true })
  size_bytes!: number | null;

  @Column('text', { nullable: true })
  etag!: string | null;

  @Column('text', { nullable: true })
  content_type!: string | null;

  /** The storage class of an object that must be restored before it can be read. */
  @Column('text', { nullable: true })
  archived_in!: string | null;

  /** The rule of the connection that leaves the object out of automatic processing, as the last sync found. */
  @Column('text', { nullable: true })
  excluded_by!: RuleName | null;

  /** The version of the object that was last selected for automatic processing. Null before the first. */
  @Column('text', { nullable: true })
  selected_version!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_modified!: Date | null;

  /**
   * The time of the last write by an upload or a listing. A listing by ranges writes only changed nodes. Any other listing writes every node that
   * it contains. The column has no index, so these writes update no index.
   */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  seen_at!: Date;

  /** `started_at` of the last listing that did not contain the node. Its sync removes it at the end, unless `seen_at` is later. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  unlisted_since!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
