import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Tombstone of a deleted file. A late request creates no job for it. Rows are kept for longer than the stream keeps events.
 */
@Entity('deleted_files')
@Index('deleted_files_unconfirmed', ['deleted_at'], { where: 'NOT confirmed' })
@Index('deleted_files_by_age', ['deleted_at'])
export class DeletedFileEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  deleted_at!: Date;

  /** The jobs of the file were deleted a second time, after every transaction had ended that could have missed this row. */
  @Column('boolean', { default: false })
  confirmed!: boolean;
}
