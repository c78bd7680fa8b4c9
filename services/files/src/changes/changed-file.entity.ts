import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A change of a file that has not been announced yet. Triggers on `files` add it in the transaction of the change. */
@Entity('changed_files')
export class ChangedFileEntity {
  /** Orders the changes of a file: the transaction that takes it holds the row of the file. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  sequence!: number;

  @Column('uuid')
  tenant_id!: string;

  @Column('uuid')
  file_id!: string;
}
