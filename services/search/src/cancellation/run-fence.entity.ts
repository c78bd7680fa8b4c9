import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Refuses runs of a cancelled job. The row is kept for longer than any run lasts. */
@Entity('run_fences')
@Index('run_fences_by_age', ['fenced_at'])
export class RunFenceEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  @PrimaryColumn('uuid')
  job_id!: string;

  /** Runs with a lower fencing token are refused. */
  @Column('integer')
  fence!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  fenced_at!: Date;
}
