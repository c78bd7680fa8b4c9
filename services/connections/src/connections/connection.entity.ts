import type {
  BucketErrorCode,
  changePolicies,
  ConnectionsOutput,
  deletionPolicies,
  listingOrders,
  NotificationType,
  StorageProviderId,
} from '@kiln/contracts';
import type { InventoryPlace } from '../external-buckets/domain/inventory-manifest.js';
import type { ObjectRules } from './object-rules.domain.js';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

type View = ConnectionsOutput<'getConnection'>;

/** A bucket of a customer, and how Kiln signs in to it. */
@Entity('connections')
@Check('connections_status_check', `status in ('pending', 'active', 'error')`)
@Check('connections_listing_order_check', `listing_order in ('sorted', 'unsorted')`)
@Check('connections_on_delete_check', `on_delete in ('delete', 'keep')`)
@Check('connections_on_change_check', `on_change in ('reprocess', 'ignore')`)
@Check('connections_check', '(credentials is null) = (auth_type is null)')
@Check('connections_check1', '(error_code is null) = (error is null)')
@Check('connections_check2', 'deleted_at is null or credentials is null')
@Check('connections_notification_type_check', `notification_type in ('sqs', 'pubsub', 'storage_queue')`)
@Check('connections_check3', '(notification_type is null) = (notification_queue is null)')
@Check('connections_check4', '(notification_error_code is null) = (notification_error is null)')
@Check('connections_sync_interval_minutes_check', 'sync_interval_minutes >= 5')
@Index('connections_in_order', ['tenant_id', 'created_at', 'id'], { where: 'deleted_at IS NULL' })
@Index('connections_deleted', ['deleted_at'], { where: 'deleted_at IS NOT NULL' })
@Index('connections_sync_due', ['next_sync_at'], {
  where: 'next_sync_at IS NOT NULL AND NOT paused AND deleted_at IS NULL',
})
export class ConnectionEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** UUIDv7, chosen by the caller, so that a repeated create finds its own row. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  provider!: StorageProviderId;

  @Column('text')
  name!: string;

  @Column('text')
  bucket!: string;

  @Column('text', { nullable: true })
  region!: string | null;

  /** The connection covers only keys that start with it. Empty: all keys. */
  @Column('text', { default: '' })
  prefix!: string;

  /** `unsorted`: the store lists keys in no order, so syncs check that no key is listed twice instead. */
  @Column('text', { default: 'sorted' })
  listing_order!: (typeof listingOrders)[number];

  /** What happens to the file of an object that is gone. */
  @Column('text', { default: 'keep' })
  on_delete!: (typeof deletionPolicies)[number];

  /** The space of files that are made of objects. */
  @Column('text', { default: 'default' })
  space!: string;

  /** Whether syncs process the objects that the rules select. */
  @Column('boolean', { default: false })
  auto_process!: boolean;

  /** What automatic processing does with changed objects. */
  @Column('text', { default: 'reprocess' })
  on_change!: (typeof changePolicies)[number];

  /** The rules that select objects for automatic processing. */
  @Column('jsonb', { default: {} })
  rules!: ObjectRules;

  /** Pages of the plan's hard limit, as the gateway last gave them. Null for a plan without one. */
  @Column('bigint', { nullable: true })
  pages_limit!: number | null;

  /** The files and folders that the plan allows, as the gateway last gave them. Null until it has. */
  @Column('bigint', { nullable: true })
  nodes_limit!: number | null;

  /** Minutes between two scheduled syncs. Null: syncs start only on request. */
  @Column('integer', { nullable: true })
  sync_interval_minutes!: number | null;

  /** Whether scheduled syncs are paused. */
  @Column('boolean', { default: false })
  paused!: boolean;

  /** When the next scheduled sync is due, by the clock of the database. Null without an interval. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  next_sync_at!: Date | null;

  @Column('text', { nullable: true })
  notification_type!: NotificationType | null;

  /** The queue to which the bucket reports changed objects. Null: none. */
  @Column('text', { nullable: true })
  notification_queue!: string | null;

  /** Why the last poll of the queue failed; null after a success. */
  @Column('text', { nullable: true })
  notification_error_code!: BucketErrorCode | null;

  @Column('text', { nullable: true })
  notification_error!: string | null;

  /** When the last message was received, within some seconds. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  notification_received_at!: Date | null;

  /** Where the inventories of the bucket are stored. Null: syncs list the bucket. */
  @Column('jsonb', { nullable: true })
  inventory!: InventoryPlace | null;

  /** Sealed JSON. Null while none are given, and after deletion. */
  @Column('bytea', { nullable: true })
  credentials!: Buffer | null;

  /** The kind of the credentials. */
  @Column('text', { nullable: true })
  auth_type!: View['auth_type'];

  @Column('text', { default: 'pending' })
  status!: View['status'];

  /** Why the last test or sync failed; null after a success. */
  @Column('text', { nullable: true })
  error_code!: BucketErrorCode | null;

  @Column('text', { nullable: true })
  error!: string | null;

  /** Counts changes of the credentials, so that the outcome of a test or sync is recorded only for the credentials it used. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;

  /** A deleted connection is invisible. Its row is removed after the rows that belong to it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at!: Date | null;
}
