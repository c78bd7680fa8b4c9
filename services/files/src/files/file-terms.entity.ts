import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { FileEntity } from './file.entity.js';

/**
 * What the `search` filter of a list looks in. It is a table of its own because each change of a file's status would otherwise write
 * all of these index entries again; a row here changes once, when the words of the content are known.
 */
@Entity('file_terms')
@ForeignKey(() => FileEntity, ['tenant_id', 'file_id'], ['tenant_id', 'id'], {
  name: 'file_terms_tenant_id_file_id_fkey',
  onDelete: 'CASCADE',
})
// GIN on name_grams(name) and words.
@Index('file_terms_by_term', { synchronize: false })
export class FileTermsEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  /** The filename in folded case. */
  @Column({ type: 'text', collation: 'C' })
  name!: string;

  /** The distinct words of the extracted content, in folded case. */
  @Column({ type: 'text', array: true, collation: 'C', default: [] })
  words!: string[];
}
