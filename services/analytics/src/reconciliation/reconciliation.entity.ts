import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Counts } from './drift.domain.js';

/** The last comparison of totals with the counts of their owners: one row, written by one process at a time and read by all. */
@Entity('reconciliation')
@Check('reconciliation_only_row_check', 'only_row')
export class ReconciliationEntity {
  @PrimaryColumn('boolean', { default: true })
  only_row!: true;

  /** When the next pass may begin. During a pass: when its lease ends. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  due_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  compared_at!: Date | null;

  /** The last tenant that was compared. Null if the last pass has reached the end. */
  @Column('uuid', { nullable: true })
  last_tenant_id!: string | null;

  /** How many tenants were compared. A tenant whose counts changed during the comparison is not included. */
  @Column('integer', { default: 0 })
  tenants!: number;

  /** The differences of all tenants together. */
  @Column('jsonb', { default: {} })
  drift!: Partial<Counts>;

  /** Fencing token of the process that makes the pass. */
  @Column('integer', { default: 0 })
  fence!: number;
}
