import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Deliveries that are not finished. Workers read this table constantly, so it is kept small. A claim raises `attempt`, which is
 * also the fencing token: an outcome names its attempt. Fill factor 70, so that the update of a claim stays in its heap page.
 */
@Entity('queued_deliveries')
@Index('queued_deliveries_due', ['tenant_id', 'webhook_id', 'due_at', 'id'])
export class QueuedDeliveryEntity {
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

  /** The number of attempts that have begun. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** The number of failed attempts, which determines the next delay. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Does not change during a lease, so that a claim updates no index. */
  @Column('timestamptz', { default: () => 'now()' })
  due_at!: Date;

  /** The end of the lease. `-infinity` without a lease. */
  @Column({ type: 'timestamptz', precision: 3, default: '-infinity' })
  lease_expires_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  /** W3C trace context of the event. Null when it was not traced. */
  @Column('text', { nullable: true })
  traceparent!: string | null;
}
