import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often jobs have failed for a reason. Later retries and deletions do not change it. */
@Entity('failure_reasons')
export class FailureReasonEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  reason!: string;

  @Column('bigint', { default: 0 })
  failures!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  last_seen!: Date;
}
