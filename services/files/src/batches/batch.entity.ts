import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Files that were uploaded or processed together. */
@Entity('batches')
export class BatchEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
