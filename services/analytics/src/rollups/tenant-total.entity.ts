import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The present state of a tenant: its files by status, and their variants and bytes. */
@Entity('tenant_totals')
export class TenantTotalEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @Column('bigint', { default: 0 })
  uploading!: number;

  @Column('bigint', { default: 0 })
  uploaded!: number;

  @Column('bigint', { default: 0 })
  processing!: number;

  @Column('bigint', { default: 0 })
  completed!: number;

  @Column('bigint', { default: 0 })
  failed!: number;

  /** Bytes of all files. */
  @Column('bigint', { default: 0 })
  size_bytes!: number;

  /** Jobs of all files. */
  @Column('bigint', { default: 0 })
  jobs!: number;

  /** Variants of all files. */
  @Column('bigint', { default: 0 })
  variants!: number;

  /** Jobs whose newest outcome is a completion. */
  @Column('bigint', { default: 0 })
  jobs_completed!: number;

  /** Jobs whose newest outcome is a failure. */
  @Column('bigint', { default: 0 })
  jobs_failed!: number;

  @Column('bigint', { default: 0 })
  connections!: number;
}
