import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The files of a content type now. A tenant has few types, so they are sorted when they are read, and need no index that each change updates. */
@Entity('type_totals')
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
