import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { PassageTotals } from './passage-totals.entity.js';

/**
 * The numbers of a file that was deleted or replaced after it was merged. Searches skip them. The worker collects ranges in
 * `removed_windows`.
 */
@Entity('removed_ranges')
@Check('removed_ranges_numbers_check', 'numbers > 0')
export class RemovedRangeEntity extends PassageTotals {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('bigint')
  first_number!: number;

  /** How many numbers the range has. */
  @Column('integer')
  numbers!: number;
}
