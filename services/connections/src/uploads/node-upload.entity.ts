import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An upload into a bucket that has begun and is not committed. Rows are kept for a day after their signed URLs expire. */
@Entity('node_uploads')
@Index('node_uploads_of_connection', ['tenant_id', 'connection_id'])
@Index('node_uploads_expired', ['expires_at'])
export class NodeUploadEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The id of the node that the upload will make or replace. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  connection_id!: string;

  /** The key in the bucket. */
  @Column({ type: 'text', collation: 'C' })
  path!: string;

  @Column('text', { nullable: true })
  content_type!: string | null;

  /** When the signed URL expires. */
  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;

  /** Whether a node with this id was added. Another object at the path then gets another node. */
  @Column('boolean', { default: false })
  placed!: boolean;
}
