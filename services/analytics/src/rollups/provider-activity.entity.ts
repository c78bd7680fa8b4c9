import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Grain } from './grain.domain.js';

/** Outcomes of the jobs of a provider in a period. */
@Entity('provider_activity')
export class ProviderActivityEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The length of the period. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  grain!: Grain;

  /** The beginning of the period, in UTC. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  starts_at!: Date;

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
