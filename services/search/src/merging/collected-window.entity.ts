import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The numbers that were removed during a purge, in a window of 32,768 numbers: a copy of the rows of `removed_ranges` that are `collected`.
 * Numbers are never reused, so a copy that is out of date only contains more removed numbers.
 */
@Entity('collected_windows')
export class CollectedWindowEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The first number of the window divided by 32,768. */
  @PrimaryColumn('bigint')
  window_number!: number;

  /** See postings/domain/number-set.ts. */
  @Column('text')
  ranges!: string;
}
