import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Grain } from './domain/grain.js';

/** A histogram of the durations of runs in a period: one row per bucket that is not empty. */
@Entity('duration_counts')
export class DurationCountEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The length of the period. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  grain!: Grain;

  /** The beginning of the period, in UTC. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  starts_at!: Date;

  /** See `domain/duration-buckets.ts`. */
  @PrimaryColumn('smallint')
  bucket!: number;

  @Column('bigint', { default: 0 })
  runs!: number;
}
