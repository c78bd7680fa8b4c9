// Records what runs change about their files. Runs of one tenant share a statement; each changes its file only under its own
// fencing token.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { FileEntity } from '../files/file.entity.js';
import { FILE_COLUMNS, IN_SPACE, VISIBLE_FILES, type FileRow } from '../files/file.rows.js';
import type { BucketPlace } from '../sources/connection-file.store.js';

/** One run of a file's job. */
export interface Run {
  fileId: string;
  jobId: string;
  fence: number;
}

export interface FinishingRun extends Run {
  /** The hash of the bytes that the run has read. */
  sha256: string | null;
}

export interface BegunFile extends FileRow, Pick<FileEntity, 'job_fence' | 'job_number'> {
  is_in_bucket: boolean;
  variants: { type: string; content_key: string | null }[];
}

export interface FinishedFile extends FileRow, Pick<FileEntity, 'job_fence'> {
  /** Types of the variants that it had before. */
  variant_types: string[];
  /** Whether the name, the space, the metadata or the external id has changed since the run began that has indexed the file. */
  is_edited: boolean;
}

/** The file of a run that was refused or repeated. */
export interface RunState extends Pick<FileEntity, 'id' | 'status' | 'job_id' | 'job_fence'> {
  variant_types: string[];
}

/**
 * A run finds files by their ids alone, whatever plan the planner makes. As a constant, the status would allow a plan that reads
 * all files that are processing. Without the ids, a plan could read all files of the tenant. Both look cheap while a tenant has
 * few.
 */
const OF_RUN = `f.tenant_id = $1 and f.id = any($2::uuid[]) and f.id = run.file_id and f.job_id = run.job_id`;
const VARIANT_TYPES = `array(select v.type from variants v where v.tenant_id = $1 and v.file_id = f.id)`;

/**
 * A fenced write: sets the status to processing under the fencing token of the run. Runs are given by $2 to $4: file, job, fence.
 * A run does not repeat the index of an earlier one, which has the values that the file had when that run began.
 */
const begin = statement(
  'runs.begin',
  `with run as (
     select * from unnest($2::uuid[], $3::uuid[], $4::int[]) as run (file_id, job_id, fence)
   ), begun as (
     update files f set status = 'processing', job_fence = run.fence, updated_at = now(),
       run_edits = case when exists (
         select from variants v
         where v.tenant_id = $1 and v.file_id = f.id and v.type = 'searchable-index' and v.job_id = f.job_id
       ) then f.run_edits else f.edits end
     from run, spaces s
     where ${IN_SPACE} and ${OF_RUN} and f.status <> 'uploading'
       and (f.job_fence < run.fence or (f.job_fence = run.fence and f.status = 'processing'))
     returning ${FILE_COLUMNS}, f.job_fence, f.job_number
   )
   select f.*,
     exists (select 1 from connection_files c where c.tenant_id = $1 and c.file_id = f.id) as is_in_bucket,
     coalesce((select json_agg(json_build_object('type', v.type, 'content_key', v.content_key))
               from variants v where v.tenant_id = $1 and v.file_id = f.id and v.job_id = f.job_id), '[]') as variants
   from begun f`,
);

/**
 * A fenced write: changes the status from processing to completed. Runs are given by $2 to $5: file, job, fence, SHA-256. Bytes
 * without an ETag came through the gateway, which has computed their hash. A worker removes the objects of earlier runs and jobs when
 * a run that lost its lease can no longer write. It must not complete this removal if it holds a former one.
 */
const finish = statement(
  'runs.finish',
  `with run as materialized (
     select *, 'processing' as status
     from unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[]) as run (file_id, job_id, fence, sha256)
   ), done as (
     update files f set status = 'completed', updated_at = now(),
       sha256 = case when f.source_etag is null then f.sha256 else coalesce(f.sha256, run.sha256) end
     from run, spaces s
     where ${IN_SPACE} and ${OF_RUN} and f.job_fence = run.fence and f.status = run.status
     returning ${FILE_COLUMNS}, f.job_fence, f.job_number, f.edits <> f.run_edits as is_edited
   ), superseded as (
     insert into object_removals (tenant_id, file_id, reason, due_at)
     select $1, f.id, 'superseded', now() + interval '15 minutes' from done f
     where f.job_fence > 1 or f.job_number > 1
       or (select true from object_removals r where r.tenant_id = $1 and r.file_id = f.id and r.reason = 'superseded')
     on conflict (tenant_id, file_id) do update set due_at = excluded.due_at, attempts = object_removals.attempts + 1
   )
   select f.*, ${VARIANT_TYPES} as variant_types from done f`,
);
/** Set-based. */
const findStates = statement(
  'runs.find_states',
  `select f.id, f.status, f.job_id, f.job_fence, ${VARIANT_TYPES} as variant_types
   from ${VISIBLE_FILES} where f.tenant_id = $1 and f.id = any ($2::uuid[])`,
);
/** The fence: the run is the current run of its file and has not ended. */
const CURRENT = `f.tenant_id = $1 and f.id = $2 and f.job_id = $3 and f.job_fence = $4 and f.status = 'processing'`;
const lock = statement('runs.lock', `select ${FILE_COLUMNS} from ${VISIBLE_FILES} where ${CURRENT} for update of f`);
const findPlace = statement(
  'runs.find_place',
  `select ${FILE_COLUMNS}, (
     select jsonb_build_object('file_id', c.file_id, 'connection_id', c.connection_id, 'node_id', c.node_id, 'path', c.path)
     from connection_files c where c.tenant_id = $1 and c.file_id = $2) as place
   from ${VISIBLE_FILES} where ${CURRENT}`,
);

const columnsOf = (runs: readonly Run[]) => [
  runs.map(({ fileId }) => fileId),
  runs.map(({ jobId }) => jobId),
  runs.map(({ fence }) => fence),
];

@Injectable()
export class RunStore {
  constructor(private readonly database: Database) {}

  /**
   * Returns the files whose run has begun. It leaves out a file that was deleted, has no bytes or a newer run, or whose run has
   * ended.
   */
  begin(tenantId: string, runs: readonly Run[]): Promise<BegunFile[]> {
    return this.database.query<BegunFile>(begin, [tenantId, ...columnsOf(runs)]);
  }

  /** Returns the files that were processing under these runs, each once. */
  finish(transaction: Queryable, tenantId: string, runs: readonly FinishingRun[]): Promise<FinishedFile[]> {
    const hashes = runs.map(({ sha256 }) => sha256);
    return transaction.query<FinishedFile>(finish, [tenantId, ...columnsOf(runs), hashes]);
  }

  findStates(on: Queryable, tenantId: string, fileIds: readonly string[]): Promise<RunState[]> {
    return on.query<RunState>(findStates, [tenantId, fileIds]);
  }

  /** Locks and returns the file if `run` is its current run and has not ended. */
  async lock(transaction: Queryable, tenantId: string, { fileId, jobId, fence }: Run): Promise<FileRow | null> {
    const [row] = await transaction.query<FileRow>(lock, [tenantId, fileId, jobId, fence]);
    return row ?? null;
  }

  /** Does the same without the lock, and adds the place of bytes in an external bucket. */
  async findPlace(
    tenantId: string,
    { fileId, jobId, fence }: Run,
  ): Promise<(FileRow & { place: BucketPlace | null }) | null> {
    const [row] = await this.database.query<FileRow & { place: BucketPlace | null }>(findPlace, [
      tenantId,
      fileId,
      jobId,
      fence,
    ]);
    return row ?? null;
  }
}
