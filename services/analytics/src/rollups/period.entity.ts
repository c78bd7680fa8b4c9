import { PrimaryColumn } from 'typeorm';
import type { Grain } from './grain.domain.js';

/** A period of a tenant. Entities that extend it have these columns first in their key. */
export abstract class PeriodEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The length of the period. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  grain!: Grain;

  /** The beginning of the period, in UTC. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  starts_at!: Date;
}
