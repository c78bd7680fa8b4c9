import type { EventData, JobError, jobsEvents } from '@kiln/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

type Completed = EventData<typeof jobsEvents.processingCompleted>;

export const outcomeStatuses = ['completed', 'failed', 'retried'] as const;

/** A job has completed, has failed, or was retried after a failure. Rows are only added, so that each outcome counts once. */
@Entity('job_outcomes')
@Check('job_outcomes_status_check', `status in ('completed', 'failed', 'retried')`)
// The index is on (tenant_id, ended_at desc, job_id desc) and covers only the newest outcomes that are failures.
@Index('job_outcomes_failed', { synchronize: false })
export class JobOutcomeEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** Precedes the job in the key, because the outcomes of a deleted file are looked up by file. */
  @PrimaryColumn('uuid')
  file_id!: string;

  @PrimaryColumn('uuid')
  job_id!: string;

  /** Fencing token of the run, or of the retry. The highest of a job is its newest outcome. */
  @PrimaryColumn('integer')
  fence!: number;

  @Column({ type: 'text', collation: 'C' })
  status!: (typeof outcomeStatuses)[number];

  @Column({ type: 'timestamptz', precision: 3 })
  ended_at!: Date;

  @Column({ type: 'text', collation: 'C', nullable: true })
  provider!: Completed['provider'];

  /** The duration of the run that completed the job. */
  @Column('integer', { nullable: true })
  duration_ms!: number | null;

  /** The error code of a failure. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  reason!: JobError['code'] | null;

  /** The error message of a failure. Removed with the file. */
  @Column('text', { nullable: true })
  message!: string | null;

  /** The name of the file of a failure. Removed with the file. */
  @Column('text', { nullable: true })
  filename!: string | null;

  /** Whether this is the newest outcome of a job whose file exists: the state of the job. */
  @Column('boolean')
  is_latest!: boolean;
}
