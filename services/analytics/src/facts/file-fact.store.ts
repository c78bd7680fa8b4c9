// Facts about files, and what they contribute to rollups, in one statement.
import { statement, type Transaction } from '@kiln/platform';
import { groupFiles, groupOutcomes } from '../rollups/grouped-changes.domain.js';
import { applyRollups } from '../rollups/rollups.statements.js';
import type { FileFactEntity } from './file-fact.entity.js';

/** Times are ISO 8601. */
export interface FileFact extends Omit<FileFactEntity, 'created_at' | 'deleted_at'> {
  created_at: string;
  deleted_at: string | null;
}

const COLUMNS = [
  'tenant_id',
  'file_id',
  'version',
  'status',
  'space',
  'content_type',
  'size_bytes',
  'jobs',
  'variants',
  'created_at',
  'deleted_at',
] as const satisfies readonly (keyof FileFact)[];

const columns = COLUMNS.join(', ');
const columnsOf = (alias: string) => COLUMNS.map((name) => `${alias}.${name}`).join(', ');
const updates = COLUMNS.slice(2)
  .map((name) => `${name} = a.${name}`)
  .join(', ');

/**
 * Set-based, and in one statement with the rollups. $1 to $11 are the columns of the files. A state replaces a state with a lower version.
 * A deletion replaces every state, and nothing replaces a deletion. The rollups lose what the replaced rows have contributed, and gain what
 * the new rows contribute.
 */
const record = statement(
  'facts.record_files',
  `with given as (
     select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::int[],
                          $9::int[], $10::timestamptz[], $11::timestamptz[]) as given (${columns})
   ), accepted as materialized (
     select given.*, f.file_id is null as is_new, f as old from given left join file_facts f using (tenant_id, file_id)
     where f.file_id is null or f.deleted_at is null and (given.deleted_at is not null or f.version < given.version)
   ), added as (
     insert into file_facts (${columns}) select ${columns} from accepted where is_new
   ), replaced as (
     update file_facts f set ${updates}
     from accepted a where not a.is_new and f.tenant_id = a.tenant_id and f.file_id = a.file_id
   ), changed as (
     select 1 as sign, ${columns} from accepted
     union all
     select -1, ${columnsOf('(old)')} from accepted where not is_new
   ), file_changes as materialized (${groupFiles('changed')}
   ), ${applyRollups('file_changes')}
   select`,
);
/** Set-based: the latest outcomes of deleted files no longer count as states of jobs. $1 tenants, $2 files. */
const forget = statement(
  'facts.forget_outcomes',
  `with latest as materialized (
     select o.tenant_id, o.file_id, o.job_id, o.fence, o.is_latest, o.status
     from (select distinct * from unnest($1::uuid[], $2::uuid[]) as files (tenant_id, file_id)) given
       join job_outcomes o using (tenant_id, file_id)
     where o.is_latest or o.filename is not null
   ), forgotten as (
     update job_outcomes o set is_latest = false, message = null, filename = null
     from latest l where o.tenant_id = l.tenant_id and o.file_id = l.file_id and o.job_id = l.job_id and o.fence = l.fence
   ), changed as (
     select 0 as counted, -1 as present, tenant_id, status, null::timestamptz as ended_at, null::text as provider,
       null::int as duration_ms, null::text as reason
     from latest where is_latest
   ), outcome_changes as materialized (${groupOutcomes('changed')}
   ), ${applyRollups('outcome_changes')}
   select`,
);

/** Safe to repeat, in any order. The transaction holds the lock of all changes. */
export async function recordFiles(transaction: Transaction, given: readonly FileFact[]): Promise<void> {
  const files = newestOf(given);
  await transaction.query(
    record,
    COLUMNS.map((name) => files.map((file) => file[name])),
  );
  const deleted = files.filter(({ deleted_at }) => deleted_at !== null);
  if (deleted.length === 0) return;
  await transaction.query(forget, [
    deleted.map(({ tenant_id: tenantId }) => tenantId),
    deleted.map(({ file_id: fileId }) => fileId),
  ]);
}

/** Keeps one fact of each file: its deletion, or its newest state. */
function newestOf(files: readonly FileFact[]): FileFact[] {
  const newest = new Map<string, FileFact>();
  for (const file of files) {
    const key = `${file.tenant_id} ${file.file_id}`;
    const other = newest.get(key);
    if (!other || supersedes(file, other)) newest.set(key, file);
  }
  return [...newest.values()];
}

const supersedes = (one: FileFact, other: FileFact) =>
  other.deleted_at === null && (one.deleted_at !== null || one.version > other.version);
