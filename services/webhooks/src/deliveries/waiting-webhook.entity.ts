import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A webhook with queued deliveries. Webhooks are served round robin. A transaction that queues a delivery makes its webhook
 * due. A webhook without due deliveries is moved to the time when the next one is due, or removed.
 */
@Entity('waiting_webhooks')
@Index('waiting_webhooks_by_due', ['due_at', 'webhook_id'])
export class WaitingWebhookEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  webhook_id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  due_at!: Date;

  /** Whether the endpoint was failing when the webhook was queued. */
  @Column('boolean', { default: false })
  failing!: boolean;
}
