import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Nodes that one event has selected for automatic processing. The row is deleted in the transaction that queues the last of them. */
@Entity('node_selections')
@Index('node_selections_of_tenant', ['tenant_id', 'due_at'])
@Index('node_selections_due', ['due_at'])
export class NodeSelectionEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  connection_id!: string;

  @Column('uuid', { array: true })
  node_ids!: string[];

  /** Fencing token of the process that holds the lease. */
  @Column('integer', { default: 0 })
  fence!: number;

  /** When it may be claimed. A claim moves it into the future: until then the row is leased. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  due_at!: Date;

  @Column('integer', { default: 0 })
  failures!: number;
}
