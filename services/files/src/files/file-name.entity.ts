import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { FileEntity } from './file.entity.js';

/**
 * The name that the `search` filter of a list looks in. It is a table of its own because each change of a file's status would otherwise write
 * all of these index entries again; a row here never changes.
 */
@Entity('file_names')
@ForeignKey(() => FileEntity, ['tenant_id', 'file_id'], ['tenant_id', 'id'], {
  name: 'file_names_tenant_id_file_id_fkey',
  onDelete: 'CASCADE',
})
// GIN on name_grams(name).
@Index('file_names_by_gram', { synchronize: false })
export class FileNameEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  /** The filename in folded case. */
  @Column({ type: 'text', collation: 'C' })
  name!: string;
}
