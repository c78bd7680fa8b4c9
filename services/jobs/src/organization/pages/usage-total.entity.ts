import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Pages used in a month. Only the usage summing writes here, so completing a job never waits for a row of its tenant. */
@Entity('usage_totals')
export class UsageTotalEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The first day of the month, in UTC. */
  @PrimaryColumn('date')
  period!: string;

  /** Of pages. */
  @Column('bigint')
  hundredths!: number;
}
