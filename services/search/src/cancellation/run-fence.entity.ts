import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { FileRow } from '../text-index/file-row.entity.js';

/** Refuses runs of a cancelled job. The row is kept for longer than any run lasts. */
@Entity('run_fences')
@Index('run_fences_by_age', ['fenced_at'])
export class RunFenceEntity extends FileRow {
  @PrimaryColumn('uuid')
  job_id!: string;

  /** Runs with a lower fencing token are refused. */
  @Column('integer')
  fence!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  fenced_at!: Date;
}
