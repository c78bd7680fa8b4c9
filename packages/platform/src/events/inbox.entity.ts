import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event that a consumer has handled. The row is written in the transaction of the effect, so a redelivery has no second effect. */
@Entity('inbox')
@Index('inbox_received_at', ['received_at'], { type: 'brin' })
export class InboxEntry {
  @PrimaryColumn('text')
  consumer!: string;

  @PrimaryColumn('uuid')
  event_id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  received_at!: Date;
}
