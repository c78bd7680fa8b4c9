import type { WebhooksOutput } from '@kiln/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

type View = WebhooksOutput<'listEvents'>['events'][number];

/** One event for one webhook, kept for 30 days. Partitioned into days by its id, a UUIDv7. A day is dropped as a whole. */
@Entity('webhook_events')
@Index('webhook_events_by_type', ['tenant_id', 'type', 'id'])
// The index includes type and created_at.
@Index('webhook_events_of_webhook', { synchronize: false })
export class WebhookEventEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** Derived from event and webhook, so that a redelivered event finds its row. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  webhook_id!: string;

  @Column('text')
  type!: View['type'];

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  /** The signed bytes. */
  @Column('text')
  payload!: string;
}
