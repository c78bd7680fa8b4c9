import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The numbers of a file that was deleted or replaced after it was merged. Searches skip them. The worker collects ranges in
 * `removed_windows`.
 */
@Entity('removed_ranges')
@Check('removed_ranges_numbers_check', 'numbers > 0')
export class RemovedRangeEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('bigint')
  first_number!: number;

  /** How many numbers the range has. */
  @Column('integer')
  numbers!: number;

  /** Chunks that had terms. This and the next three columns are what the file added to the totals of the tenant. */
  @Column('bigint')
  chunks!: number;

  /** Terms in those chunks, repeats counted. */
  @Column('bigint')
  chunk_length!: number;

  /** 1 when the title had terms, otherwise 0. */
  @Column('bigint')
  titles!: number;

  /** Terms in the title and the filename. */
  @Column('bigint')
  title_length!: number;
}
