import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The node of a file whose object is gone, or that its owner has deleted. A node that a sync adds at the same path gets its id. Until it is
 * announced, so does a node of the same content at another path: the object was moved.
 */
@Entity('removed_nodes')
@Index('removed_nodes_by_path', ['tenant_id', 'connection_id', 'path'], { unique: true })
@Index('removed_nodes_new', ['tenant_id', 'connection_id', 'etag', 'size_bytes'], { where: 'NOT announced' })
@Index('removed_nodes_by_age', ['tenant_id', 'connection_id', 'removed_at'], { where: 'announced' })
export class RemovedNodeEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The id of the node. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  connection_id!: string;

  @Column({ type: 'text', collation: 'C' })
  path!: string;

  @Column('text', { nullable: true })
  etag!: string | null;

  @Column('bigint')
  size_bytes!: number;

  @Column('text', { nullable: true })
  selected_version!: string | null;

  /** Whether the removal is final, and its event emitted if the connection has files deleted. */
  @Column('boolean', { default: false })
  announced!: boolean;

  /** Of the node. */
  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  removed_at!: Date;
}
