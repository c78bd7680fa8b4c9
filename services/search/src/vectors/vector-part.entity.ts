import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { FileRow } from '../text-index/file-row.entity.js';

/** Vectors of consecutive chunks of a file. */
@Entity('vector_parts')
@Check('vector_parts_first_index_check', 'first_index >= 0')
export class VectorPartEntity extends FileRow {
  /** The index of the first chunk. */
  @PrimaryColumn('integer')
  first_index!: number;

  /** The vectors, of length 1 each: Float32, little-endian. */
  @Column('bytea')
  vectors!: Buffer;

  /** The same vectors with one byte for each number: see vector-codes.domain.ts. */
  @Column('bytea')
  codes!: Buffer;
}
