import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { FileEntity } from '../files/file.entity.js';

/** An upload whose bytes have not arrived. Storage is checked with back-off, in case it sends no notification. */
@Entity('pending_uploads')
@ForeignKey(() => FileEntity, ['tenant_id', 'file_id'], ['tenant_id', 'id'], {
  name: 'pending_uploads_tenant_id_file_id_fkey',
  onDelete: 'CASCADE',
})
@Index('pending_uploads_due', ['due_at'])
@Index('pending_uploads_of_tenant', ['tenant_id', 'due_at'])
export class PendingUploadEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  /** When the signed URL expires. */
  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  due_at!: Date;

  /** Number of checks so far, which the back-off counts. */
  @Column('integer', { default: 0 })
  checks!: number;
}
