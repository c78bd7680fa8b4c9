import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Pages held for a job under a plan with a hard limit, from just before the job is accepted. The status of the job decides whether the
 * reservation still counts: see page-reservation.store.ts.
 */
@Entity('page_reservations')
@Index('page_reservations_by_expiry', ['expires_at'])
export class PageReservationEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  job_id!: string;

  /** Of pages: an estimate, or the exact number once it is known. */
  @Column('bigint')
  hundredths!: number;

  /** The limit of the plan when the job was accepted. */
  @Column('bigint')
  pages_limit!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  reserved_at!: Date;

  /** A reservation without a job counts until then. */
  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
