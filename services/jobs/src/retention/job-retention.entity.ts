import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How far retention has examined the ended jobs, in the order of their end, tenant and id: one row, which the examining process locks. */
@Entity('job_retention')
@Check('job_retention_only_row_check', 'only_row')
export class JobRetentionEntity {
  @PrimaryColumn('boolean', { default: true })
  only_row!: true;

  /** Jobs that ended before this time are examined. */
  @Column({ type: 'timestamptz', precision: 3, default: '2026-01-01 00:00:00+00' })
  examined_until!: Date;

  /** Of the jobs that ended at that very time, those up to this tenant and job are examined. */
  @Column('uuid', { default: '00000000-0000-0000-0000-000000000000' })
  tenant_id!: string;

  @Column('uuid', { default: '00000000-0000-0000-0000-000000000000' })
  job_id!: string;
}
