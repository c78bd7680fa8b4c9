import { PrimaryColumn } from 'typeorm';

/** The key of a row that belongs to a file. Entities that extend it begin with these columns. */
export abstract class FileRow {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('uuid')
  file_id!: string;
}
