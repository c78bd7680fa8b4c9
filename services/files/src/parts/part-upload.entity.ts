import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An upload in parts. The row outlives its file, because it alone names the parts that must be removed from storage. It is deleted when that is
 * done.
 */
@Entity('part_uploads')
@Check('part_uploads_size_bytes_check', 'size_bytes > 0')
@Check('part_uploads_part_bytes_check', 'part_bytes > 0')
export class PartUploadEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  @Column('bigint')
  size_bytes!: number;

  /** The size of every part but the last. */
  @Column('bigint')
  part_bytes!: number;

  /** The id that the object store has given to the upload. Null until it has begun there. */
  @Column('text', { nullable: true })
  store_upload_id!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
