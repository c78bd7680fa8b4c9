import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * An event that the relay will publish. The row is written in the transaction of the change that the event reports, so the event is published if
 * and only if that transaction commits.
 */
@Entity('outbox')
@Index('outbox_unpublished', ['sequence'], { where: 'published_at IS NULL' })
@Index('outbox_published_at', ['published_at'], { type: 'brin' })
export class OutboxEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  sequence!: number;

  /** The id of the event. */
  @Column('uuid')
  id!: string;

  @Column('text')
  type!: string;

  /** The event as it is published. */
  @Column('text')
  envelope!: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  /** Null until the broker has stored it. Infinity for a row that cannot be sent and is quarantined. */
  @Column('timestamptz', { nullable: true })
  published_at!: Date | null;
}
