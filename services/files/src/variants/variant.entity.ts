import type { FilesOutput } from '@kiln/contracts';
import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { FileEntity } from '../files/file.entity.js';

type Variant = FilesOutput<'getVariant'>;

/** An output of a file; a file has at most one of each type. */
@Entity('variants')
@ForeignKey(() => FileEntity, ['tenant_id', 'file_id'], ['tenant_id', 'id'], {
  name: 'variants_tenant_id_file_id_fkey',
  onDelete: 'CASCADE',
})
@Check('variants_size_bytes_check', 'size_bytes >= 0')
@Check('variants_content_check', 'length(content) <= 65536')
@Check('variants_check', 'num_nonnulls(content, content_key) = 1')
export class VariantEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;

  @PrimaryColumn('text')
  type!: Variant['type'];

  /** The id changes whenever the content does. */
  @Column('uuid')
  id!: string;

  /** The job that made it. */
  @Column('uuid')
  job_id!: string;

  @Column('text')
  content_type!: string;

  @Column('bigint')
  size_bytes!: number;

  /** The text of a small variant, which fits into a message between services. Null when an object holds it. */
  @Column('text', { nullable: true })
  content!: string | null;

  /** Key of the object that holds the content. Null when this row does. */
  @Column('text', { nullable: true })
  content_key!: string | null;

  @Column('text')
  provider!: Variant['provider'];

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
