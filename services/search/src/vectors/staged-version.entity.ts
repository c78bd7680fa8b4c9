import { PrimaryColumn } from 'typeorm';
import { FileRow } from '../text-index/file-row.entity.js';

/** The key of vectors that are staged for a version of a file. */
export abstract class StagedVersion extends FileRow {
  @PrimaryColumn('text')
  model!: string;

  @PrimaryColumn('integer')
  dimensions!: number;

  /** The run that wrote the chunks, as in the row of the file. */
  @PrimaryColumn('bigint')
  job_number!: number;

  @PrimaryColumn('bigint')
  fence!: number;
}
