// The SQL of moving files from the tail of a tenant to OpenSearch, and of deleting them there. Statements that change files run in a transaction
// that has locked the files' rows before.
import { statement } from '@kiln/platform';

/** Takes the lease if no other process holds it. Returns where merges move the tail, or no row. $1 tenant, $2 seconds. */
export const takeLease = statement(
  'search.lease_opensearch_tenant',
  `insert into opensearch_tenants as t (tenant_id, lease_expires_at) values ($1, now() + make_interval(secs => $2))
   on conflict (tenant_id) do update set lease_expires_at = excluded.lease_expires_at where t.lease_expires_at < now()
   returning store`,
);

export const endLease = statement(
  'search.end_opensearch_lease',
  `update opensearch_tenants set lease_expires_at = '-infinity' where tenant_id = $1`,
);

/** $1 tenant, $2 store. */
export const chooseStore = statement(
  'search.choose_store',
  `insert into opensearch_tenants (tenant_id, store) values ($1, $2)
   on conflict (tenant_id) do update set store = excluded.store`,
);

/**
 * Returns the first files of the tail: how large they are, and whether some of their passages are in blocks already. $1 tenant, $2 limit.
 */
export const readTailFiles = statement(
  'search.read_tail_files',
  `select t.file_id, sum(octet_length(t.data))::int8 as bytes, sum(greatest(t.chunks + t.titles, 1))::int8 as passages,
          bool_or(f.first_number is not null) as partial
     from tail_parts t join files f on f.tenant_id = $1 and f.file_id = t.file_id
    where t.tenant_id = $1
    group by t.file_id order by t.file_id limit $2`,
);

/** $1 tenant, $2 files. */
export const readMovedParts = statement(
  'search.read_moved_parts',
  `select file_id, job_number, fence, data, coalesce(revision, 0)::int8 as revision
     from tail_parts where tenant_id = $1 and file_id = any($2::uuid[]) order by file_id, part`,
);

/**
 * Records that the files will be sent, unless they were replaced since they were read. Returns those that may be sent. $1 tenant, $2 files,
 * $3 their revisions.
 */
export const recordSending = statement(
  'search.record_sending',
  `with current as (
     select s.file_id, s.revision from unnest($2::uuid[], $3::int8[]) as s(file_id, revision)
      where s.revision = (select max(coalesce(t.revision, 0)) from tail_parts t where t.tenant_id = $1 and t.file_id = s.file_id)
   )
   insert into opensearch_files as o (tenant_id, file_id, revision, served)
   select $1, file_id, revision, false from current
   on conflict (tenant_id, file_id) do update set revision = greatest(o.revision, excluded.revision), served = false
   returning file_id`,
);

/**
 * Deletes the sent files from the tail, unless they were replaced meanwhile, and lets searches find their documents. $1 tenant, $2 files, $3 their
 * revisions.
 */
export const recordMoved = statement(
  'search.record_moved',
  `with moved as (
     delete from tail_parts t using unnest($2::uuid[], $3::int8[]) as s(file_id, revision)
      where t.tenant_id = $1 and t.file_id = s.file_id and coalesce(t.revision, 0) <= s.revision
     returning t.file_id, s.revision, t.chunks, t.chunk_length, t.titles, t.title_length
   ), file as (
     select file_id, revision, sum(chunks)::int8 as chunks, sum(chunk_length)::int8 as chunk_length, sum(titles)::int8 as titles,
            sum(title_length)::int8 as title_length
       from moved group by file_id, revision
   ), former as (
     select o.* from opensearch_files o join file using (file_id) where o.tenant_id = $1 and o.counted
   ), served as (
     update opensearch_files o
        set served = true, counted = true, chunks = f.chunks, chunk_length = f.chunk_length, titles = f.titles,
            title_length = f.title_length
       from file f where o.tenant_id = $1 and o.file_id = f.file_id
   ), added as (
     select count(*) as files, coalesce(sum(chunks), 0) as chunks, coalesce(sum(chunk_length), 0) as chunk_length,
            coalesce(sum(titles), 0) as titles, coalesce(sum(title_length), 0) as title_length from file
   ), removed as (
     select count(*) as files, coalesce(sum(chunks), 0) as chunks, coalesce(sum(chunk_length), 0) as chunk_length,
            coalesce(sum(titles), 0) as titles, coalesce(sum(title_length), 0) as title_length from former
   )
   update opensearch_tenants t
      set files = t.files + a.files - r.files, chunks = t.chunks + a.chunks - r.chunks,
          chunk_length = t.chunk_length + a.chunk_length - r.chunk_length, titles = t.titles + a.titles - r.titles,
          title_length = t.title_length + a.title_length - r.title_length
     from added a cross join removed r where t.tenant_id = $1
   returning a.files::int8 as moved`,
);

const WITHHELD_OUTSIDE_TAIL = `o.tenant_id = $1 and not o.served
      and not exists (select from tail_parts t where t.tenant_id = $1 and t.file_id = o.file_id)`;

/** Returns documents of files that were removed, or replaced by a version that is not in the tail. $1 tenant, $2 limit. */
export const readWithheld = statement(
  'search.read_withheld_files',
  `select o.file_id from opensearch_files o where ${WITHHELD_OUTSIDE_TAIL} order by o.file_id limit $2`,
);

/**
 * Returns those that may be deleted, with a revision above all that were sent. $1 tenant, $2 files, $3 those whose rows are locked. A tombstone
 * may have expired.
 */
export const recordDeleting = statement(
  'search.record_deleting',
  `update opensearch_files o set revision = nextval('index_revisions')
    where ${WITHHELD_OUTSIDE_TAIL} and o.file_id = any($2::uuid[])
      and (o.file_id = any($3::uuid[]) or not exists (select from files f where f.tenant_id = $1 and f.file_id = o.file_id))
   returning o.file_id, o.revision`,
);

/** Forgets deleted documents, unless their file is sent again. $1 tenant, $2 files, $3 their revisions. */
export const recordDeleted = statement(
  'search.record_deleted_documents',
  `with chosen as (
     select o.file_id from opensearch_files o join unnest($2::uuid[], $3::int8[]) as s(file_id, revision) using (file_id, revision)
      where o.tenant_id = $1 and not o.served for update of o skip locked
   ), deleted as (
     delete from opensearch_files o using chosen where o.tenant_id = $1 and o.file_id = chosen.file_id
     returning o.counted, o.chunks, o.chunk_length, o.titles, o.title_length
   ), removed as (
     select count(*) as files, coalesce(sum(chunks), 0) as chunks, coalesce(sum(chunk_length), 0) as chunk_length,
            coalesce(sum(titles), 0) as titles, coalesce(sum(title_length), 0) as title_length from deleted where counted
   )
   update opensearch_tenants t
      set files = t.files - r.files, chunks = t.chunks - r.chunks, chunk_length = t.chunk_length - r.chunk_length,
          titles = t.titles - r.titles, title_length = t.title_length - r.title_length
     from removed r where t.tenant_id = $1`,
);

/** Whether searches ask OpenSearch for no file. */
export const readIsEmpty = statement(
  'search.is_opensearch_empty',
  'select not exists (select from opensearch_files where served) as empty',
);

/** An aggregate over all tenants, for the metrics. */
export const countWithheld = statement(
  'search.count_withheld_files',
  'select count(*)::int8 as files from opensearch_files where not served',
);

/** Over all tenants, for the safety poll. $1 limit. */
export const readWithheldTenants = statement(
  'search.read_withheld_tenants',
  `select distinct tenant_id from (select tenant_id from opensearch_files where not served limit $1) as o`,
);
