import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { FileRow } from '../text-index/file-row.entity.js';

/** The vectors of one file, or a record of their removal for the processes that have a copy. */
@Entity('vector_files')
@Index('vector_files_by_generation', ['tenant_id', 'model', 'dimensions', 'generation', 'file_id'])
@Index('vector_files_removed', ['removed_at'], { where: 'removed_at IS NOT NULL' })
@Check('vector_files_vectors_check', 'vectors >= 0')
export class VectorFileEntity extends FileRow {
  @PrimaryColumn('text')
  model!: string;

  @PrimaryColumn('integer')
  dimensions!: number;

  /** The change of the tenant's vectors that wrote this row. */
  @Column('bigint')
  generation!: number;

  /** The number of vectors, one for each chunk. 0 when they were removed. */
  @Column('integer')
  vectors!: number;

  /** The facets of the file, as terms of the index: see postings/domain/facet.ts. */
  @Column('text', { array: true })
  facets!: string[];

  /** The job whose run wrote the vectors, and the fencing token of the run, as in the row of the file. */
  @Column('bigint')
  job_number!: number;

  @Column('bigint')
  fence!: number;

  /** When the vectors were removed. Null otherwise. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  removed_at!: Date | null;
}
