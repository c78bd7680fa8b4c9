import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { FileEntity } from '../files/file.entity.js';
import { BatchEntity } from './batch.entity.js';

/** A file of a batch. A file may be in several batches over time; a trigger removes a deleted file from all of them. */
@Entity('batch_files')
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'batch_files_tenant_id_batch_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => FileEntity, ['tenant_id', 'file_id'], ['tenant_id', 'id'], {
  name: 'batch_files_tenant_id_file_id_fkey',
  deferrable: 'INITIALLY DEFERRED',
})
@Index('batch_files_by_file', ['tenant_id', 'file_id'])
export class BatchFileEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  batch_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;
}
