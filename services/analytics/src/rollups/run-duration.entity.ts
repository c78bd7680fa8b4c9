import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Grain } from './grain.domain.js';

/** A histogram of the durations of runs in a period. */
@Entity('run_durations')
export class RunDurationEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The length of the period. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  grain!: Grain;

  /** The beginning of the period, in UTC. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  starts_at!: Date;

  /** See `duration-buckets.domain.ts`. A bucket may occur several times. */
  @Column('smallint', { array: true })
  buckets!: number[];

  /** How many runs the bucket at the same position of `buckets` has. At most two billion. */
  @Column('integer', { array: true })
  runs!: number[];
}
