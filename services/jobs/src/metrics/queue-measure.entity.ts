import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { QueueMeasure } from './queue-measure.store.js';

/** The last measurement of the queue, for the metrics: one row, written by one process at a time and read by all. */
@Entity('queue_measures')
@Check('queue_measures_only_row_check', 'only_row')
export class QueueMeasureEntity {
  @PrimaryColumn('boolean', { default: true })
  only_row!: true;

  /** `run_totals` includes the runs that ended until then. */
  @Column('timestamptz', { default: () => 'now()' })
  counted_until!: Date;

  @Column('timestamptz', { default: '-infinity' })
  measured_at!: Date;

  @Column('jsonb', { default: { queued: [], processing: [] } })
  measure!: Pick<QueueMeasure, 'queued' | 'processing'>;
}
