import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { FileEntity } from '../files/file.entity.js';

/** Links a file whose bytes are in an external bucket to its node. After the file is deleted, the node can have a new file. */
@Entity('connection_files')
@ForeignKey(() => FileEntity, ['tenant_id', 'file_id'], ['tenant_id', 'id'], {
  name: 'connection_files_tenant_id_file_id_fkey',
  onDelete: 'CASCADE',
})
@Index('connection_files_by_node', ['tenant_id', 'node_id'], { unique: true })
export class ConnectionFileEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  @Column('uuid')
  connection_id!: string;

  @Column('uuid')
  node_id!: string;

  /** The key in the bucket. */
  @Column('text')
  path!: string;

  /** When the node was last moved, by the clock of the connections service. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  moved_at!: Date | null;
}
