import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Pages of completed runs that are not yet in `usage_totals`. The usage of a month is its total plus its entries. */
@Entity('usage_entries')
export class UsageEntryEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The first day of the month, in UTC. */
  @PrimaryColumn('date')
  period!: string;

  @PrimaryColumn('uuid')
  job_id!: string;

  @PrimaryColumn('integer')
  fence!: number;

  /** Of pages. */
  @Column('bigint')
  hundredths!: number;
}
