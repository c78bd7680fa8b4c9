import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The files of a space now. */
@Entity('space_totals')
@Index('space_totals_by_files', ['tenant_id', 'files', 'space'])
export class SpaceTotalEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  space!: string;

  @Column('bigint', { default: 0 })
  files!: number;

  @Column('bigint', { default: 0 })
  completed!: number;

  @Column('bigint', { default: 0 })
  failed!: number;
}
