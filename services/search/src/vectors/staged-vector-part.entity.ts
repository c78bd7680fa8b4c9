import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { StagedVersion } from './staged-version.entity.js';
import { StagedVectorFileEntity } from './staged-vector-file.entity.js';

/** Staged vectors of consecutive chunks. The columns are those of `vector_parts`, beside the key of the staged file. */
@Entity('staged_vector_parts')
@ForeignKey(
  () => StagedVectorFileEntity,
  ['tenant_id', 'file_id', 'model', 'dimensions', 'job_number', 'fence'],
  ['tenant_id', 'file_id', 'model', 'dimensions', 'job_number', 'fence'],
  { name: 'staged_vector_parts_file_fkey', onDelete: 'CASCADE' },
)
@Check('staged_vector_parts_first_index_check', 'first_index >= 0')
export class StagedVectorPartEntity extends StagedVersion {
  /** The index of the first chunk. */
  @PrimaryColumn('integer')
  first_index!: number;

  @Column('bytea')
  vectors!: Buffer;

  @Column('bytea')
  codes!: Buffer;
}
