import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantClass } from './queue-measure.store.js';

/** How many runs have ended since the installation began to count them. */
@Entity('run_totals')
export class RunTotalEntity {
  @PrimaryColumn('text')
  tenant_class!: TenantClass;

  @PrimaryColumn('text')
  provider!: string;

  @PrimaryColumn('text')
  outcome!: string;

  @Column('bigint')
  runs!: number;
}
