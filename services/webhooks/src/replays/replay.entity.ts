import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A window of past events that are queued again in batches. The row is deleted at the end of the window. */
@Entity('replays')
@Check('replays_kind_check', `kind in ('replay', 'recover')`)
@Index('replays_of_webhook', ['tenant_id', 'webhook_id'])
export class ReplayEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  webhook_id!: string;

  /** `replay`: all events of the window; `recover`: those that were not delivered. */
  @Column('text')
  kind!: 'replay' | 'recover';

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;

  /** Null: all types. */
  @Column({ type: 'text', array: true, nullable: true })
  event_types!: string[] | null;

  /** The last event that was processed. */
  @Column('uuid')
  position!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
