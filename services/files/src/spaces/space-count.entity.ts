import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { SpaceEntity } from './space.entity.js';

/**
 * Counts the files of a space by status, and their bytes. Triggers on `files` maintain the counts in the transaction of the
 * change, so no code path can omit it. The counts of a space are spread over up to 8 rows, chosen by server process; a reader
 * adds them up. With a single row, uploads into one space would wait for each other's commits. Fill factor 50. When a space is
 * deleted, its counts are deleted with it, and its files are not subtracted one by one.
 */
@Entity('space_counts')
@ForeignKey(() => SpaceEntity, ['tenant_id', 'space_id'], ['tenant_id', 'id'], {
  name: 'space_counts_tenant_id_space_id_fkey',
  onDelete: 'CASCADE',
})
export class SpaceCountEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  space_id!: string;

  /** `pg_backend_pid() % 8` of the process that first wrote the row. */
  @PrimaryColumn('smallint')
  slot!: number;

  @Column('bigint')
  uploading!: number;

  @Column('bigint')
  uploaded!: number;

  @Column('bigint')
  processing!: number;

  @Column('bigint')
  completed!: number;

  @Column('bigint')
  failed!: number;

  @Column('bigint')
  size_bytes!: number;
}
