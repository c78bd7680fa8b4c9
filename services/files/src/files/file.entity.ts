import type { FilesInput, FilesOutput } from '@kiln/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How a caller wants a file to be processed. */
export type ProcessingOptions = Pick<
  FilesInput<'createUpload'>,
  'provider' | 'embedding_model' | 'chunking' | 'variants'
>;
export type FileStatus = FilesOutput<'listFiles'>['files'][number]['status'];

/**
 * A file. There is one index for each sort order, with and without the space. Space and status lead the index, so a list reads only
 * the rows it shows, whatever share of the files the filters select; a list over all statuses merges five ranges. In return an
 * insert, and each change of the status, writes eight index entries.
 *
 * The order by size is an expression. Postgres answers a query from such an index alone only if the index includes the column itself.
 */
@Entity('files')
@Check('files_size_bytes_check', 'size_bytes >= 0')
@Check('files_sha256_check', 'length(sha256) = 64')
@Check('files_status_check', `status in ('uploading', 'uploaded', 'processing', 'completed', 'failed')`)
@Index('files_by_status_created', ['tenant_id', 'status', 'created_at', 'id'])
@Index('files_by_status_updated', ['tenant_id', 'status', 'updated_at', 'id'])
@Index('files_by_status_filename', ['tenant_id', 'status', 'filename', 'id'])
// The index is on coalesce(size_bytes, -1), and includes size_bytes.
@Index('files_by_status_size', { synchronize: false })
@Index('files_by_space_created', ['tenant_id', 'space_id', 'status', 'created_at', 'id'])
@Index('files_by_space_updated', ['tenant_id', 'space_id', 'status', 'updated_at', 'id'])
@Index('files_by_space_filename', ['tenant_id', 'space_id', 'status', 'filename', 'id'])
// The index is on coalesce(size_bytes, -1), and includes size_bytes.
@Index('files_by_space_size', { synchronize: false })
// GIN, jsonb_path_ops.
@Index('files_by_metadata', { synchronize: false })
@Index('files_by_external_id', ['tenant_id', 'external_id'], { unique: true, where: 'external_id IS NOT NULL' })
@Index('files_by_source', ['tenant_id', 'source_id'], { unique: true, where: 'source_id IS NOT NULL' })
@Index('files_processing', ['updated_at', 'tenant_id', 'id'], { where: `status = 'processing'::text` })
export class FileEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** UUIDv7, chosen by the caller, so that a repeated request finds its own row. */
  @PrimaryColumn('uuid')
  id!: string;

  /** Not a foreign key: files outlive their space until a worker has deleted them. */
  @Column('uuid')
  space_id!: string;

  @Column({ type: 'text', collation: 'C' })
  filename!: string;

  @Column('text', { nullable: true })
  content_type!: string | null;

  @Column('bigint', { nullable: true })
  size_bytes!: number | null;

  /** Computed by the gateway, or, for bytes that arrived by a signed URL, by the first run that has finished. */
  @Column('text', { nullable: true })
  sha256!: string | null;

  /**
   * Version of the bytes that arrived by a signed URL, or that an external bucket holds. The URL stays valid for a while, and a
   * second PUT would replace the bytes that size and type were read from. Null for bytes that came through the gateway.
   */
  @Column('text', { nullable: true })
  source_etag!: string | null;

  /**
   * The upload that has replaced the content: its id takes the place of the file's id in the key of the bytes. Null for the content with
   * which the file was created.
   */
  @Column('uuid', { nullable: true })
  source_id!: string | null;

  @Column('text')
  status!: FileStatus;

  /** The newest job. Null for a file that is stored without processing. */
  @Column('uuid', { nullable: true })
  job_id!: string | null;

  /** Number of jobs the file has had, which orders them: clocks differ, so the ids of jobs do not. */
  @Column('integer', { default: 0 })
  job_number!: number;

  /** Fencing token of the newest run that has changed this file; writes of older runs are refused. */
  @Column('integer', { default: 0 })
  job_fence!: number;

  /** The batch with which the newest job was requested. */
  @Column('uuid', { nullable: true })
  batch_id!: string | null;

  @Column('jsonb', { default: {} })
  metadata!: Record<string, string>;

  /** The id of the file in the system of the caller. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  external_id!: string | null;

  /** Number of changes of the name, the space, the metadata or the external id. */
  @Column('integer', { default: 0 })
  edits!: number;

  /** `edits` when the newest run began. If they differ when it ends, the run has indexed former values. */
  @Column('integer', { default: 0 })
  run_edits!: number;

  /** Options of the newest job. */
  @Column('jsonb', { default: {} })
  processing!: ProcessingOptions;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;
}
