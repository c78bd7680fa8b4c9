import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A connection. The row of a deleted one is a tombstone. */
@Entity('connection_facts')
export class ConnectionFactEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  connection_id!: string;

  @Column('boolean')
  deleted!: boolean;
}
