import { Column, Entity, PrimaryColumn } from 'typeorm';
import { PeriodEntity } from './period.entity.js';

/** Outcomes of the jobs of a provider in a period. */
@Entity('provider_activity')
export class ProviderActivityEntity extends PeriodEntity {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  provider!: string;

  @Column('bigint', { default: 0 })
  completed!: number;

  @Column('bigint', { default: 0 })
  failed!: number;

  /** The sum of the durations of the runs that completed a job. */
  @Column('bigint', { default: 0 })
  duration_ms!: number;
}
