import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { BatchEntity } from './batch.entity.js';

/**
 * Counts the files of a batch by outcome, so that a batch of any size is read at once. Triggers on `files` and `batch_files`
 * maintain the counts in the transaction of the change. The counts are spread over up to 8 rows, chosen by server process, like
 * the counts of a space; a reader adds them up. Fill factor 50.
 */
@Entity('batch_counts')
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'batch_counts_tenant_id_batch_id_fkey',
  onDelete: 'CASCADE',
})
export class BatchCountEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  batch_id!: string;

  /** `pg_backend_pid() % 8` of the process that wrote the row. */
  @PrimaryColumn('smallint')
  slot!: number;

  @Column('bigint')
  total!: number;

  /** Includes files that are stored without processing. */
  @Column('bigint')
  completed!: number;

  @Column('bigint')
  failed!: number;

  /** Files whose job was cancelled and that have no newer job. */
  @Column('bigint')
  cancelled!: number;
}
