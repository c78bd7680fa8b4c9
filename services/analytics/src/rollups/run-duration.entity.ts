import { Column, Entity } from 'typeorm';
import { PeriodEntity } from './period.entity.js';

/** A histogram of the durations of runs in a period. */
@Entity('run_durations')
export class RunDurationEntity extends PeriodEntity {
  /** See `duration-buckets.domain.ts`. A bucket may occur several times. */
  @Column('smallint', { array: true })
  buckets!: number[];

  /** How many runs the bucket at the same position of `buckets` has. At most two billion. */
  @Column('integer', { array: true })
  runs!: number[];
}
