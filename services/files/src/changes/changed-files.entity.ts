import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Files of a tenant that a statement has changed, and that have not been announced yet. A trigger on `files` adds it. */
@Entity('changed_files')
export class ChangedFilesEntity {
  /** Orders the changes of a file: the transaction that takes it holds the rows of the files. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  sequence!: number;

  @Column('uuid')
  tenant_id!: string;

  @Column('uuid', { array: true })
  file_ids!: string[];
}
