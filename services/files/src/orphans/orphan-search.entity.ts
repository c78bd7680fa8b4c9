import { Check, Column, Entity, Generated, PrimaryColumn } from 'typeorm';
import type { BucketObstacle } from './bucket-marker.domain.js';

/** Why a pass has removed nothing. */
export type SearchObstacle = BucketObstacle | 'too_many_orphans';

/** Progress of the search for objects without a file. There is one row, because one process searches at a time. */
@Entity('orphan_searches')
@Check('orphan_searches_only_one_check', 'only_one')
@Check(
  'orphan_searches_obstacle_check',
  `obstacle in ('foreign_bucket', 'unmarked_bucket', 'older_database', 'too_many_orphans')`,
)
export class OrphanSearchEntity {
  @PrimaryColumn('boolean', { default: true })
  only_one!: boolean;

  /** The bucket has the same id (bucket-marker.domain.ts): nothing is removed from a bucket with a different id. */
  @Column('uuid')
  @Generated('uuid')
  installation_id!: string;

  /** A pass covers the file ids made from `seen_until` to `pass_until`. `-infinity` before the first pass has finished. */
  @Column({ type: 'timestamptz', precision: 3, default: '-infinity' })
  seen_until!: Date | number;

  /** Null between two passes. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  pass_until!: Date | null;

  /** The last tenant that this pass has finished. */
  @Column('text', { default: '' })
  after_tenant!: string;

  /** The provider's cursor of the page of tenants that lists `after_tenant`. Null: the first page. */
  @Column('text', { nullable: true })
  tenants_cursor!: string | null;

  /** The prefix under which this pass lists the ids of the next tenant. Null: it has not begun. */
  @Column('text', { nullable: true })
  ids_prefix!: string | null;

  /** The provider's cursor of the next page under `ids_prefix`. */
  @Column('text', { nullable: true })
  ids_cursor!: string | null;

  /** Ids on the pages under `ids_prefix` before `ids_cursor`. They are not in `ids_seen` yet: if the cursor expires, they are listed again. */
  @Column('bigint', { default: 0 })
  ids_in_prefix!: number;

  /** Number of file ids that this pass has found in the bucket, with and without a file. */
  @Column('bigint', { default: 0 })
  ids_seen!: number;

  /** Why the last pass has removed nothing. Null when it has finished. */
  @Column('text', { nullable: true })
  obstacle!: SearchObstacle | null;

  /** When the next pass may begin. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  due_at!: Date;

  /** Fencing token of the process that holds the lease. */
  @Column('integer', { default: 0 })
  fence!: number;

  /** `-infinity` while no process holds the lease. */
  @Column({ type: 'timestamptz', precision: 3, default: '-infinity' })
  lease_expires_at!: Date | number;
}
