import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Created by a caller, or for a file. */
@Entity('__noun__s')
@Index('__noun__s_in_order', ['tenant_id', 'created_at', 'id'])
export class __Noun__Entity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** UUIDv7, chosen by the caller, so that a repeated creation finds its own row. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** The file it was created for. Null if a caller created it. */
  @Column('uuid', { nullable: true })
  file_id!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
