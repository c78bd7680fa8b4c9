import type { OperationOutput, webhooksOperations } from '@kiln/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

type View = OperationOutput<(typeof webhooksOperations)['listEvents']>['events'][number];

/** One event for one webhook, kept 30 days. Partitioned by id, which is a UUIDv7, into days: a day is dropped as a whole. */
@Entity('webhook_events')
@Index('webhook_events_by_type', ['tenant_id', 'type', 'id'])
// Includes type and created_at.
@Index('webhook_events_of_webhook', { synchronize: false })
export class WebhookEventEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** Follows from event and webhook, so that an event that comes again finds its row. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  webhook_id!: string;

  @Column('text')
  type!: View['type'];

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  /** The bytes that are signed. */
  @Column('text')
  payload!: string;
}
