import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { FileEntity } from '../files/file.entity.js';

/** An upload that has arrived or expired. A last check finds out whether its signed URL has accepted other bytes since. */
@Entity('ended_uploads')
@ForeignKey(() => FileEntity, ['tenant_id', 'file_id'], ['tenant_id', 'id'], {
  name: 'ended_uploads_tenant_id_file_id_fkey',
  onDelete: 'CASCADE',
})
@Index('ended_uploads_due', ['due_at'])
export class EndedUploadEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  /** From then on no PUT to the signed URL can end. A claim moves the time into the future: until then the row is leased. */
  @Column({ type: 'timestamptz', precision: 3 })
  due_at!: Date;
}
