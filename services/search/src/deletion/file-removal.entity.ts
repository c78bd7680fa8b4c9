import { Column, Entity, Index } from 'typeorm';
import { FileRow } from '../text-index/file-row.entity.js';

/**
 * A deleted file that is still in the index. The transaction of the event writes the row. The worker then removes the file from the index
 * and keeps its row as a tombstone with the highest possible run, so that a late index command is refused.
 */
@Entity('file_removals')
@Index('file_removals_by_age', ['requested_at'])
export class FileRemovalEntity extends FileRow {
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  requested_at!: Date;
}
