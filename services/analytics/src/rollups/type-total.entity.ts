import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The files of a content type now. */
@Entity('type_totals')
@Index('type_totals_by_files', ['tenant_id', 'files', 'content_type'])
export class TypeTotalEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  content_type!: string;

  @Column('bigint', { default: 0 })
  files!: number;

  @Column('bigint', { default: 0 })
  size_bytes!: number;
}
