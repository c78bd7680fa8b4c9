import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { FileEntity } from '../files/file.entity.js';
import type { NewFile } from '../files/file.rows.js';

/** The fields of an upload that replaces the content of a file. Null: the file keeps what it has. */
export type ReplacingUpload = Pick<NewFile, 'job_id' | 'filename' | 'content_type' | 'size_bytes' | 'processing'> & {
  space: string | null;
  metadata: NewFile['metadata'] | null;
};

/** An upload by a signed URL, or in parts, whose bytes will replace the content of a file. Until they arrive, the file is as it was. */
@Entity('replacements')
@ForeignKey(() => FileEntity, ['tenant_id', 'file_id'], ['tenant_id', 'id'], {
  name: 'replacements_tenant_id_file_id_fkey',
  onDelete: 'CASCADE',
})
@Index('replacements_due', ['due_at'])
@Index('replacements_of_tenant', ['tenant_id', 'due_at'])
@Index('replacements_by_file', ['tenant_id', 'file_id'])
export class ReplacementEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** It takes the place of the id of a file in the key of the bytes. */
  @PrimaryColumn('uuid')
  upload_id!: string;

  @Column('uuid')
  file_id!: string;

  @Column('jsonb')
  upload!: ReplacingUpload;

  @Column('boolean', { default: false })
  has_arrived!: boolean;

  /** When the signed URL expires. */
  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;

  /** A claim moves it into the future: until then the row is leased. Once the bytes have arrived, it is the time of the last check. */
  @Column({ type: 'timestamptz', precision: 3 })
  due_at!: Date;

  @Column('integer', { default: 0 })
  checks!: number;
}
