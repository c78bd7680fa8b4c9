import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { FileEntity } from '../files/file.entity.js';

/** An upload that has arrived or expired. Its signed URL may have accepted other bytes since, which a last check finds. */
@Entity('ended_uploads')
@ForeignKey(() => FileEntity, ['tenant_id', 'file_id'], ['tenant_id', 'id'], {
  name: 'ended_uploads_tenant_id_file_id_fkey',
  onDelete: 'CASCADE',
})
@Index('ended_uploads_due', ['check_at'])
export class EndedUploadEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  /** When no PUT to the signed URL can end any more. A claim moves it into the future: until then the row is leased. */
  @Column({ type: 'timestamptz', precision: 3 })
  check_at!: Date;
}
