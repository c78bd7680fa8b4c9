import type { TextLanguage } from '@kiln/contracts';
import { Check, Column, Entity, Index } from 'typeorm';
import { FileRow } from './file-row.entity.js';

/** A file that is indexed, registered, or deleted and kept as a tombstone. Every change of a file's index locks its row. */
@Entity('files')
@Index('files_by_number', ['tenant_id', 'first_number'], { unique: true, where: 'first_number IS NOT NULL' })
@Index('files_removed', ['removed_at'], { where: 'removed_at IS NOT NULL' })
@Check('files_fence_check', 'fence >= 0')
export class FileEntity extends FileRow {
  /** The number of the job whose run wrote the index; see run.domain.ts. 0: the file is registered, but not indexed. */
  @Column('bigint')
  job_number!: number;

  /** The fencing token of the run that wrote the index. */
  @Column('bigint')
  fence!: number;

  /** Chunks of the file, numbered from 0. */
  @Column('integer', { default: 0 })
  chunks!: number;

  /** Chunks that have terms. This and the next three columns are what the file adds to the totals of its tenant. */
  @Column('bigint', { default: 0 })
  found_chunks!: number;

  /** Terms in those chunks, repeats counted. */
  @Column('bigint', { default: 0 })
  chunk_length!: number;

  /** 1 when the title or the filename has terms, otherwise 0. */
  @Column('bigint', { default: 0 })
  titles!: number;

  /** Terms in the title and the filename. */
  @Column('bigint', { default: 0 })
  title_length!: number;

  /** Title and filename, to find phrases in them. Null when the file is not indexed. */
  @Column('text', { nullable: true })
  title_text!: string | null;

  /** The language in which the text was analyzed. Null when the file is not indexed. */
  @Column('text', { nullable: true })
  language!: TextLanguage | null;

  /** The number of the first passage. Null while the whole file is in the tail. */
  @Column('bigint', { nullable: true })
  first_number!: number | null;

  /**
   * When the file was deleted. Null unless the row is a tombstone. A tombstone is deleted once no event and no run can refer to its file
   * any more.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  removed_at!: Date | null;
}
