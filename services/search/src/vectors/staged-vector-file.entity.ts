import { Column, Entity, ForeignKey } from 'typeorm';
import { StagedVersion } from './staged-version.entity.js';
import { FileEntity } from '../text-index/file.entity.js';

/** The vectors of a file by another model, beside those that searches use. */
@Entity('staged_vector_files')
@ForeignKey(() => FileEntity, ['tenant_id', 'file_id'], ['tenant_id', 'file_id'], {
  name: 'staged_vector_files_tenant_id_file_id_fkey',
  onDelete: 'CASCADE',
})
export class StagedVectorFileEntity extends StagedVersion {
  /** The facets of the file, as in `vector_files`. */
  @Column('text', { array: true })
  facets!: string[];

  /** The number of vectors, one for each chunk. Null until all of them are staged. */
  @Column('integer', { nullable: true })
  vectors!: number | null;
}
