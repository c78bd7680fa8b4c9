import type { WebhooksOutput } from '@kiln/contracts';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

type View = WebhooksOutput<'getWebhook'>;

/** An endpoint of a customer, and what it wants to hear. */
@Entity('webhooks')
@Check('webhooks_disabled_reason_check', `disabled_reason in ('gone', 'failing')`)
export class WebhookEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** UUIDv7, chosen by the caller, so that a repeated create finds its own row. */
  @PrimaryColumn('uuid')
  id!: string;

  /** Stands in the payloads. */
  @Column('uuid')
  organization_id!: string;

  @Column('text')
  url!: string;

  /** Types, or `*`. */
  @Column({ type: 'text', array: true })
  events!: View['events'];

  @Column('text', { nullable: true })
  description!: string | null;

  /** Sealed: signs every delivery. */
  @Column('bytea')
  secret!: Buffer;

  /** Sealed: the secret before the last rotation, which signs as well until it expires. */
  @Column('bytea', { nullable: true })
  previous_secret!: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previous_secret_expires_at!: Date | null;

  /** Sealed: the custom headers as JSON; null for none. */
  @Column('bytea', { nullable: true })
  headers!: Buffer | null;

  /** Names of the custom headers, which may be shown. */
  @Column({ type: 'text', array: true, default: [] })
  header_names!: string[];

  /** One that is switched off keeps its events, and gets none. */
  @Column('boolean', { default: true })
  active!: boolean;

  /** Why the service switched it off; null when its owner did, or nobody. */
  @Column('text', { nullable: true })
  disabled_reason!: View['disabled_reason'];

  /** The first failure since the last success; null, as all that follow, while deliveries succeed. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failing_since!: Date | null;

  /** The first of the failures that follow each other within a day. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failing_daily_since!: Date | null;

  /** The last failure, to the minute. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_failed_at!: Date | null;

  @Column('text', { nullable: true })
  last_error!: string | null;

  /** Counts changes, so that a worker knows whether what it holds is still true. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;
}
