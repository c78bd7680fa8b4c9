import type { EventData, filesEvents } from '@kiln/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

type FileState = EventData<typeof filesEvents.filesChanged>['files'][number];

/**
 * A file: the newest of its announced states. A deleted file keeps its row. It is the tombstone that late states meet, and its history
 * still counts.
 */
@Entity('file_facts')
@Check('file_facts_check', '(status is null) = (deleted_at is not null)')
// Few files are deleted, so a search for deleted ones touches few pages.
@Index('file_facts_deleted', ['tenant_id', 'file_id'], { where: 'deleted_at IS NOT NULL' })
export class FileFactEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  /** The version of the newest state. A state with a lower version changes nothing. */
  @Column('bigint')
  version!: number;

  /** Null for a deleted file. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  status!: FileState['status'] | null;

  @Column({ type: 'text', collation: 'C' })
  space!: string;

  @Column({ type: 'text', collation: 'C' })
  content_type!: string;

  /** 0 while the size is unknown. */
  @Column('bigint')
  size_bytes!: number;

  /** How many jobs the file has had. */
  @Column('integer')
  jobs!: number;

  @Column('integer')
  variants!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at!: Date | null;
}
