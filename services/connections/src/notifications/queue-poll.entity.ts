import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The polls of a connection with a queue of notifications. Triggers of `connections` add, change and remove the row. Fill factor 50, so that a
 * poll stays in its heap page.
 */
@Entity('queue_polls')
@Index('queue_polls_due', ['tenant_id', 'due_at'], { where: 'due_at IS NOT NULL' })
export class QueuePollEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  connection_id!: string;

  /** When the next poll is due; while a worker polls, when its lease expires. Null while the queue is not polled. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  due_at!: Date | null;

  /** The fencing token of the worker that polls. Every claim sets a new token. */
  @Column('uuid', { nullable: true })
  lease!: string | null;

  /** Consecutive polls that failed. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Consecutive polls without a message. */
  @Column('integer', { default: 0 })
  empty_polls!: number;

  /** The completed sync since which nodes are counted. Null before the first. */
  @Column('uuid', { nullable: true })
  counted_since!: string | null;

  /** Files that this sync has found and notifications have removed. */
  @Column('bigint', { default: 0 })
  nodes_removed!: number;

  /** Nodes that notifications have added since then, without those that they have removed again. */
  @Column('bigint', { default: 0 })
  nodes_added!: number;

  /** Whether a sync was started since then, because notifications would remove or add too many nodes. */
  @Column('boolean', { default: false })
  sync_requested!: boolean;
}
