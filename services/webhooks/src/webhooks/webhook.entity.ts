import type { WebhooksOutput } from '@kiln/contracts';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

type View = WebhooksOutput<'getWebhook'>;

/** An endpoint of a customer, and the events that it subscribes to. */
@Entity('webhooks')
@Check('webhooks_disabled_reason_check', `disabled_reason in ('gone', 'failing')`)
export class WebhookEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** UUIDv7, chosen by the caller, so that a repeated create finds its own row. */
  @PrimaryColumn('uuid')
  id!: string;

  /** Payloads contain this id. */
  @Column('uuid')
  organization_id!: string;

  @Column('text')
  url!: string;

  /** Types of events, or `*`. */
  @Column({ type: 'text', array: true })
  events!: View['events'];

  /** The spaces whose events it receives. Null: all events. */
  @Column({ type: 'text', array: true, nullable: true })
  spaces!: string[] | null;

  @Column('text', { nullable: true })
  description!: string | null;

  /** Sealed: the secret that signs every delivery. */
  @Column('bytea')
  secret!: Buffer;

  /** Sealed: the secret before the last rotation. It also signs, until it expires. */
  @Column('bytea', { nullable: true })
  previous_secret!: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previous_secret_expires_at!: Date | null;

  /** Sealed: the secrets that earlier rotations replaced, oldest first, while their grace periods last. They also sign. */
  @Column('bytea', { array: true, default: [] })
  earlier_secrets!: Buffer[];

  /** When each of them expires, in the same order. */
  @Column('timestamptz', { array: true, default: [] })
  earlier_secrets_expire_at!: Date[];

  /** Sealed: the custom headers as JSON. Null without headers. */
  @Column('bytea', { nullable: true })
  headers!: Buffer | null;

  /** Names of the custom headers, which may be shown. */
  @Column({ type: 'text', array: true, default: [] })
  header_names!: string[];

  /** Events of an inactive webhook are recorded, but not delivered. */
  @Column('boolean', { default: true })
  active!: boolean;

  /** Why the service disabled the webhook. Null when its owner did, and while it is active. */
  @Column('text', { nullable: true })
  disabled_reason!: View['disabled_reason'];

  /** The first failure since the last success. This and the next three columns are null while deliveries succeed. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failing_since!: Date | null;

  /** The first failure of the present series, in which no two failures are more than a day apart. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failing_daily_since!: Date | null;

  /** The last failure, with a precision of a minute. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_failed_at!: Date | null;

  @Column('text', { nullable: true })
  last_error!: string | null;

  /** The number of changes. A worker compares it to detect an outdated copy. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;
}
