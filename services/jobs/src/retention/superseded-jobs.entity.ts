import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How many jobs of a file retention has deleted, by their status. Analytics still counts them. The rows are deleted with the file. */
@Entity('superseded_jobs')
@Check('superseded_jobs_status_check', `status in ('completed', 'failed', 'cancelled')`)
export class SupersededJobsEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  @PrimaryColumn('text')
  status!: 'completed' | 'failed' | 'cancelled';

  @Column('integer')
  jobs!: number;
}
