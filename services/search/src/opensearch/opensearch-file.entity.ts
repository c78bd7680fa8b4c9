import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { PassageTotals } from '../text-index/passage-totals.entity.js';

/**
 * A file of which OpenSearch has a document, or may have one. The row is written before the document is sent, and deleted after the
 * document is. `served` is changed only while the row of the file in `files` is locked.
 */
@Entity('opensearch_files')
@Index('opensearch_files_withheld', ['tenant_id', 'file_id'], { where: 'NOT served' })
export class OpensearchFileEntity extends PassageTotals {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  /** The version of the document. After a replacement or removal: a higher number, with which the document is deleted. */
  @Column('bigint')
  revision!: number;

  /** Whether searches find the document. False while it is sent, and after the file was replaced or removed. */
  @Column('boolean')
  served!: boolean;

  /** Whether the totals of the tenant contain those of this row. */
  @Column('boolean', { default: false })
  counted!: boolean;
}
