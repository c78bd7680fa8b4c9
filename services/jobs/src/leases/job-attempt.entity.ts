import type { JobError } from '@kiln/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AttemptEnd, RunStep } from '../runs/domain/run-timeline.js';

/**
 * The outcome of one run that did not complete its job. The statement that ends the run writes the row: the worker's, the reclaim of an
 * expired lease, or a caller's cancel. A run in progress is recorded in the row of its job alone.
 */
@Entity('job_attempts')
@Check('job_attempts_status_check', `status in ('completed', 'failed', 'interrupted', 'cancelled')`)
// Rows are written in the order of time, so a block range finds the newest.
@Index('job_attempts_by_end', ['ended_at'], { type: 'brin' })
export class JobAttemptEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  job_id!: string;

  @PrimaryColumn('integer')
  attempt!: number;

  @Column('text')
  status!: AttemptEnd;

  @Column({ type: 'timestamptz', precision: 3 })
  started_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  ended_at!: Date;

  @Column('jsonb', { nullable: true })
  error!: Pick<JobError, 'code' | 'message'> | null;

  /** The steps that began, in order. The last may still be open: it ended as the run did. Null when none began. */
  @Column('jsonb', { nullable: true })
  steps!: RunStep[] | null;
}
