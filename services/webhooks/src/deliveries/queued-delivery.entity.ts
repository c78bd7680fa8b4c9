import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Deliveries that are not finished: a small table that workers read all the time. A claim raises `attempt`, which is also
 * the fencing token: an outcome names the attempt it belongs to. Fill factor 70, so that a claim's update stays in its page.
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

  /** Attempts begun. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** Attempts that failed, which is what the retry schedule counts. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Stays as it is while the row is leased, so that a claim touches no index. */
  @Column('timestamptz', { default: () => 'now()' })
  due_at!: Date;

  /** When the lease of the worker that claimed it ends; a worker that dies lets it run out. `-infinity`: not leased. */
  @Column({ type: 'timestamptz', precision: 3, default: '-infinity' })
  leased_until!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  /** W3C trace context of the event. Null when it was not traced. */
  @Column('text', { nullable: true })
  traceparent!: string | null;
}
