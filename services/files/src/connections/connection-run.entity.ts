import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ProcessingOptions } from '../files/file.entity.js';

/**
 * A connection whose files are being queued, one page of nodes after another. The transaction that queues a page also moves `position`.
 * The row is deleted with the last page.
 */
@Entity('connection_runs')
@Index('connection_runs_due', ['due_at'])
export class ConnectionRunEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  batch_id!: string;

  @Column('uuid')
  connection_id!: string;

  @Column('jsonb')
  processing!: ProcessingOptions;

  /** Pages of the plan's hard limit. Null for a plan without one. */
  @Column('bigint', { nullable: true })
  pages_limit!: number | null;

  /** The last node that was looked at; null before the first page. */
  @Column('uuid', { nullable: true })
  position!: string | null;

  /** Fencing token of the process that holds the lease. */
  @Column('integer', { default: 1 })
  fence!: number;

  /** A claim moves it into the future: until then the row is leased. */
  @Column({ type: 'timestamptz', precision: 3 })
  due_at!: Date;

  /** Failures since the last page that was queued. */
  @Column('integer', { default: 0 })
  failures!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
