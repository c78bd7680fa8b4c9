import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { FileRow } from './file-row.entity.js';

/** A chunk of a file's text. Searches return chunks. */
@Entity('chunks')
@Check('chunks_index_check', 'index >= 0')
export class ChunkEntity extends FileRow {
  /** The position of the chunk in its file, from 0. */
  @PrimaryColumn('integer')
  index!: number;

  @Column('text')
  body!: string;

  /** Where the chunk begins in the text of the file. */
  @Column('bigint')
  start_offset!: number;

  /** Where the chunk ends. */
  @Column('bigint')
  end_offset!: number;

  /** The page of the file on which the chunk begins. Null when the file has no pages. */
  @Column('integer', { nullable: true })
  page!: number | null;

  /** The headings above the chunk, the outermost first. */
  @Column('text', { array: true })
  heading_path!: string[];

  /** Where the text stands on its pages: see regions.domain.ts. Null when that is not known. */
  @Column('smallint', { array: true, nullable: true })
  lines!: number[] | null;
}
