import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { PassageTotals } from './passage-totals.entity.js';

/**
 * The numbers of a file that was deleted or replaced after it was merged. Searches skip them. The worker collects ranges in
 * `removed_windows`.
 */
@Entity('removed_ranges')
@Index('removed_ranges_uncollected', ['tenant_id', 'first_number'], { where: 'NOT collected' })
@Check('removed_ranges_numbers_check', 'numbers > 0')
export class RemovedRangeEntity extends PassageTotals {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('bigint')
  first_number!: number;

  /** How many numbers the range has. */
  @Column('integer')
  numbers!: number;

  /** Whether `collected_windows` contains the numbers, so that searches need not read the row. */
  @Column('boolean', { default: false })
  collected!: boolean;
}
