import type { Chunking, EventData, JobError, filesEvents, JobsOutput } from '@kiln/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { RunUsage } from '../organization/pages/domain/run-usage.js';
import type { AskedExtraction } from '../extractions/asked-extraction.domain.js';
import type { Lane } from '../claims/lane.domain.js';
import type { RunStep } from '../runs/domain/run-timeline.js';

type View = JobsOutput<'listJobs'>['jobs'][number];
type Request = EventData<(typeof filesEvents)['processingRequested']>;

/**
 * A job: the request to process one file, its place in the queue, its lease and its result. A row is written about three times, all soon
 * after each other: the fill factor of 70 keeps its updates in their page, and autovacuum removes dead rows early.
 */
@Entity('jobs')
@Check('jobs_status_check', `status in ('queued', 'processing', 'completed', 'failed', 'cancelled')`)
@Check('jobs_lane_check', `lane in ('text', 'sandbox')`)
@Check('jobs_priority_check', 'priority in (0, 1)')
@Check(
  'jobs_check',
  `(status = 'processing') = (worker_id is not null) and (worker_id is null) = (lease_expires_at is null)`,
)
@Index('jobs_due', ['tenant_id', 'lane', 'priority', 'due_at', 'id'], {
  where: `status = 'queued'::text AND ready`,
})
@Index('jobs_leased', ['lease_expires_at'], { where: 'lease_expires_at IS NOT NULL' })
@Index('jobs_by_status', ['tenant_id', 'status', 'created_at', 'id'])
@Index('jobs_by_space', ['tenant_id', 'space', 'status', 'created_at', 'id'])
@Index('jobs_by_file', ['tenant_id', 'file_id'])
@Index('jobs_by_batch', ['tenant_id', 'batch_id', 'created_at', 'id'], { where: 'batch_id IS NOT NULL' })
// Jobs that were created together end together, so a block range finds the newest ends.
@Index('jobs_by_end', ['completed_at'], { type: 'brin' })
export class JobEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  file_id!: string;

  @Column('text')
  space!: string;

  @Column('text')
  filename!: string;

  /** The number of edits of the file after which it had this space and filename. */
  @Column('integer', { default: 0 })
  file_edits!: number;

  @Column('text', { nullable: true })
  content_type!: string | null;

  @Column('text', { default: 'queued' })
  status!: View['status'];

  /** The bytes of the file are in storage. Until then the job waits. */
  @Column('boolean')
  ready!: boolean;

  /** The request, and the defaults of the organization for what it omits, as they were when the job was created. */
  @Column('jsonb')
  processing!: Request['processing'] & { default_chunking?: Chunking };

  /** `text`: the worker decodes the file itself. `sandbox`: the run needs a sandbox. */
  @Column('text', { default: 'sandbox' })
  lane!: Lane;

  @Column('text', { nullable: true })
  provider!: View['provider'];

  @Column('text', { nullable: true })
  step!: View['step'];

  @Column('real', { default: 0 })
  progress!: number;

  /** Within a tenant, jobs of single uploads (0) are claimed before jobs of a batch (1). */
  @Column('smallint', { default: 0 })
  priority!: 0 | 1;

  /** How many runs have begun, whatever their outcome. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Attempts that do not count towards the limit on runs: those before a caller last retried the job, and those that found a provider busy. */
  @Column('integer', { default: 0 })
  attempts_before_retry!: number;

  /** Transient failures of the run's own work. Three fail the job. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Runs whose lease expired. A job that keeps killing its workers is failed. */
  @Column('integer', { default: 0 })
  lost_leases!: number;

  /** The fencing token. Each claim, cancel and retry raises it. */
  @Column('integer', { default: 0 })
  fence!: number;

  /** When the job may be claimed. Retries and postponed runs set it to a later time. */
  @Column('timestamptz', { default: () => 'now()' })
  due_at!: Date;

  /** The worker that holds the lease. Null while no run of the job is in progress. */
  @Column('text', { nullable: true })
  worker_id!: string | null;

  @Column('timestamptz', { nullable: true })
  lease_expires_at!: Date | null;

  /** When the last run began. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  run_started_at!: Date | null;

  /** The steps of the last run. */
  @Column('jsonb', { nullable: true })
  run_steps!: RunStep[] | null;

  @Column('jsonb', { nullable: true })
  error!: JobError | null;

  @Column('uuid', { nullable: true })
  batch_id!: string | null;

  /** W3C trace context of the request. The runs of the job belong to that trace. Null when the request was not traced. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  /** The request to the organization's own extractor, and where its result is. Null without such a request. */
  @Column('jsonb', { nullable: true })
  extraction!: AskedExtraction | null;

  /** The usage of the steps. */
  @Column('jsonb', { default: {} })
  usage!: RunUsage;

  /** The usage of the completed job, in hundredths of a page. A page processed with the organization's own key counts 60. */
  @Column('integer', { default: 100 })
  page_hundredths!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  started_at!: Date | null;

  /** When the job ended, whether it completed, failed or was cancelled. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completed_at!: Date | null;
}
