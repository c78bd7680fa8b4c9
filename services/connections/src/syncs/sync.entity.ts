import type { syncStatuses } from '@kiln/contracts';
import type { InventoryOfSync } from '../external-buckets/domain/inventory-manifest.js';
import type { ListingRange } from './domain/listing-range.js';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * One listing of a bucket, done in several claims. Each claim raises the fence; every write names it and changes nothing
 * once the fence or the status has changed. Fill factor 50, so that updates stay in their heap page.
 */
@Entity('syncs')
@Check('syncs_status_check', `status in ('pending', 'syncing', 'completed', 'failed', 'cancelled')`)
@Index('syncs_one_at_a_time', ['tenant_id', 'connection_id'], {
  unique: true,
  where: `status = ANY (ARRAY['pending'::text, 'syncing'::text])`,
})
@Index('syncs_of_connection', ['tenant_id', 'connection_id', 'id'])
@Index('syncs_due', ['tenant_id', 'due_at', 'id'], { where: `status = ANY (ARRAY['pending'::text, 'syncing'::text])` })
export class SyncEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  connection_id!: string;

  @Column('text', { default: 'pending' })
  status!: (typeof syncStatuses)[number];

  /** Allows the sync to remove most of the nodes. */
  @Column('boolean', { default: false })
  force!: boolean;

  /** The fencing token: the number of claims, plus one for a cancellation. */
  @Column('integer', { default: 0 })
  fence!: number;

  /** When a worker may claim it. While it is leased: when the lease ends. */
  @Column('timestamptz', { default: () => 'now()' })
  due_at!: Date;

  /** Whether a worker holds the sync, or died while it held it. */
  @Column('boolean', { default: false })
  leased!: boolean;

  /** Consecutive claims that failed inside Kiln, or whose worker died, since the last page with objects. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Consecutive claims whose bucket failed, since the last page with objects. */
  @Column('integer', { default: 0 })
  bucket_failures!: number;

  /**
   * The version of the connection whose bucket is listed. Null for a sync of a process without this column. Negative for a listing by ranges,
   * which does not mark the nodes that it contains: a worker of a release that knows no ranges takes the number for another version,
   * and begins the listing again.
   */
  @Column('integer', { nullable: true })
  connection_version!: number | null;

  /** The last key of the committed pages. */
  @Column('text', { nullable: true })
  position!: string | null;

  /** The provider's token for the page after them. Null before the first page and after the last. */
  @Column('text', { nullable: true })
  next_cursor!: string | null;

  /**
   * The ranges of keys into which the rest of the listing is split. Null: the two columns above are the only checkpoint. They keep the place at
   * which the listing was split. Only for a listing by ranges.
   */
  @Column('jsonb', { nullable: true })
  ranges!: ListingRange[] | null;

  /** The inventory that is read in place of a listing. Only while `connection_version` is negative, as for `ranges`. */
  @Column('jsonb', { nullable: true })
  inventory!: InventoryOfSync | null;

  /** The bucket is listed to its end; the sync now removes the nodes that the listing did not contain. */
  @Column('boolean', { default: false })
  listed!: boolean;

  /** Consecutive pages without objects, at the end of the committed pages. */
  @Column('integer', { default: 0 })
  empty_pages!: number;

  /** Files and folders of the connection when the first claim began. Null until they are counted. */
  @Column('bigint', { nullable: true })
  nodes_before!: number | null;

  /** Files and folders that the listing contained so far. */
  @Column('bigint', { default: 0 })
  nodes_listed!: number;

  /** Files and folders that this listing added. */
  @Column('bigint', { default: 0 })
  nodes_added!: number;

  /** Objects that the last completed sync listed. Null before the first. */
  @Column('bigint', { nullable: true })
  expected_count!: number | null;

  /** Files listed so far, also by the failed sync that this one continues. */
  @Column('bigint', { default: 0 })
  synced_count!: number;

  @Column('bigint', { default: 0 })
  files_added!: number;

  @Column('bigint', { default: 0 })
  files_updated!: number;

  @Column('bigint', { default: 0 })
  files_deleted!: number;

  /** Files whose object was moved. They count neither as added nor as deleted. */
  @Column('bigint', { default: 0 })
  files_moved!: number;

  /** Files handed to automatic processing. */
  @Column('bigint', { default: 0 })
  files_queued!: number;

  /** Files listed that the rules of the connection leave out. */
  @Column('bigint', { default: 0 })
  files_excluded!: number;

  /** Objects that cannot be stored as nodes, or are archived. */
  @Column('bigint', { default: 0 })
  skipped!: number;

  /** A failed sync that the next one continues after the committed pages. */
  @Column('boolean', { default: false })
  is_resumable!: boolean;

  @Column('text', { nullable: true })
  error_code!: string | null;

  @Column('text', { nullable: true })
  error_message!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  /** When the listing began: with the first claim, or with that of the failed sync that this one continues. An inventory: when it was made. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  started_at!: Date | null;

  /** When the sync was completed, failed or cancelled. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completed_at!: Date | null;
}
