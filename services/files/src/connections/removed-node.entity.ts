import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A tombstone of a node whose object is gone: no file is made of it. It is kept for longer than a page of nodes is in use. */
@Entity('removed_nodes')
@Index('removed_nodes_by_age', ['removed_at'])
export class RemovedNodeEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  node_id!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  removed_at!: Date;
}
