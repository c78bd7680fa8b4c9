import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The files of a content type now. A tenant has few types. A read sorts them, so no index is needed that each change would update. */
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
