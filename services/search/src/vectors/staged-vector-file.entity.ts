import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { FileEntity } from '../text-index/file.entity.js';

/** The vectors of a file by another model, beside those that searches use. */
@Entity('staged_vector_files')
@ForeignKey(() => FileEntity, ['tenant_id', 'file_id'], ['tenant_id', 'file_id'], {
  name: 'staged_vector_files_tenant_id_file_id_fkey',
  onDelete: 'CASCADE',
})
export class StagedVectorFileEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  @PrimaryColumn('text')
  model!: string;

  @PrimaryColumn('integer')
  dimensions!: number;

  /** The run that wrote the chunks, as in the row of the file. */
  @PrimaryColumn('bigint')
  job_number!: number;

  @PrimaryColumn('bigint')
  fence!: number;

  /** The facets of the file, as in `vector_files`. */
  @Column('text', { array: true })
  facets!: string[];

  /** The number of vectors, one for each chunk. Null until all of them are staged. */
  @Column('integer', { nullable: true })
  vectors!: number | null;
}
