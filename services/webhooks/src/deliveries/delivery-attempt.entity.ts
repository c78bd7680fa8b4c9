import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The log of attempts, partitioned by the day of the delivery. */
@Entity('delivery_attempts')
export class DeliveryAttemptEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  delivery_id!: string;

  @PrimaryColumn('integer')
  attempt!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  attempted_at!: Date;

  /** Null if there was no response. */
  @Column('integer', { nullable: true })
  status_code!: number | null;

  @Column('integer', { nullable: true })
  duration_ms!: number | null;

  @Column('text', { nullable: true })
  error!: string | null;

  /** The beginning of the response. */
  @Column('text', { nullable: true })
  response_body!: string | null;
}
