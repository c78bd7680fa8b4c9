import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A deleted space that still has files. The row is inserted in the transaction that deletes the space, and deleted with the last of
 * its files: the space of a file is either here or in `spaces`.
 */
@Entity('deleted_spaces')
@Index('deleted_spaces_due', ['due_at'])
export class DeletedSpaceEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  space_id!: string;

  /** The events of the space's files contain its name. */
  @Column({ type: 'text', collation: 'C' })
  name!: string;

  /** A claim moves it into the future: until then the row is leased. */
  @Column('timestamptz', { default: () => 'now()' })
  due_at!: Date;

  /** Fencing token of the worker that holds the lease. */
  @Column('integer', { default: 0 })
  fence!: number;
}
