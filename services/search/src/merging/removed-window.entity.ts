import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The removed numbers in a window of 32,768 numbers. */
@Entity('removed_windows')
export class RemovedWindowEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** The first number of the window divided by 32,768. */
  @PrimaryColumn('bigint')
  window_number!: number;

  /** See postings/domain/number-set.ts. */
  @Column('text')
  ranges!: string;
}
