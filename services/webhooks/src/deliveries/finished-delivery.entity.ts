import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The outcome of a delivery. Rows are only inserted, and dropped with the partition of their day. The id is a UUIDv7, which gives the day. */
@Entity('finished_deliveries')
@Check('finished_deliveries_status_check', `status in ('delivered', 'failed')`)
@Index('finished_deliveries_of_event', ['tenant_id', 'event_id'])
@Index('finished_deliveries_failed', ['tenant_id', 'webhook_id', 'id'], { where: `status = 'failed'::text` })
export class FinishedDeliveryEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  webhook_id!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  event_id!: string;

  @Column('text')
  event_type!: string;

  @Column('text')
  status!: 'delivered' | 'failed';

  /** The number of the last attempt. */
  @Column('integer')
  attempt!: number;

  /** The time when the delivery was queued. */
  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  finished_at!: Date;
}
