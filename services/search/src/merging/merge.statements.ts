// The SQL of a merge: set-based statements in one transaction that holds the tenant's advisory lock.
//
// Statements that change many rows look up the place of each (`ctid`) in a subquery with a limit. A join would be planned as a scan of the
// tenant's rows for each of them if the plan was made while the table was empty, and the first merges would take minutes.
import { statement } from '@kiln/platform';

/**
 * Returns one row: how many passages the first rows of the tail have (a file without terms counts as one), the files of these rows, and
 * the partial file if some of it is still in the tail. $1 tenant, $2 count of rows, $3 partial file or null, $4 the only files that may be
 * chosen, or null.
 */
export const chooseFiles = statement(
  'search.choose_tail_files',
  `select coalesce(sum(greatest(chunks + titles, 1)), 0)::int8 as passages,
          coalesce(array_agg(distinct file_id), '{}') as file_ids,
          (select file_id from tail_parts where tenant_id = $1 and file_id = $3 limit 1) as partial_file_id
     from (select file_id, chunks, titles from tail_parts
            where tenant_id = $1 and ($4::uuid[] is null or file_id = any($4::uuid[])) order by file_id, part limit $2) as tail`,
);

/** Skips files that a writer has locked, instead of waiting. $1 tenant, $2 files. */
export const lockFiles = statement(
  'search.lock_tail_files',
  `select file_id, first_number, chunks from files where tenant_id = $1 and file_id = any($2::uuid[])
    order by file_id for update skip locked`,
);

/**
 * Reads the tail of the chosen files once they are locked, since they may have been replaced before. The partial file comes first, because
 * it has the lowest numbers. $1 tenant, $2 files, $3 partial file or null.
 */
export const readTailSizes = statement(
  'search.read_tail_sizes',
  `select file_id, part, chunks + titles as passages, octet_length(data) as bytes
     from tail_parts where tenant_id = $1 and file_id = any($2::uuid[])
    order by file_id is distinct from $3::uuid, file_id, part`,
);

/** Deletes rows from the tail and returns them. $1 tenant, $2 files, $3 parts of them. */
export const takeTail = statement(
  'search.take_tail',
  `delete from tail_parts t using unnest($2::uuid[], $3::int4[]) as chosen(file_id, part)
    cross join lateral (select ctid from tail_parts
                         where tenant_id = $1 and file_id = chosen.file_id and part = chosen.part limit 1) as stored(id)
    where t.ctid = stored.id
   returning t.file_id, t.part, t.chunks, t.chunk_length, t.titles, t.title_length, t.data`,
);

/** Reads the last block of each term, if it has one. $1 tenant, $2 terms. */
export const lastBlocks = statement(
  'search.last_blocks',
  `select t.term, b.first, b.last, b.count
     from unnest($2::text[]) as t(term)
    cross join lateral (select first, last, count from posting_blocks
                         where tenant_id = $1 and term = t.term order by first desc limit 1) as b`,
);

/**
 * Appends postings to blocks. $1 tenant, then arrays of one length: terms, first numbers of their last blocks, new last numbers, counts of
 * added postings, their data.
 */
export const extendBlocks = statement(
  'search.extend_blocks',
  `update posting_blocks b set last = e.last, count = b.count + e.count, data = b.data || e.data
     from unnest($2::text[], $3::int8[], $4::int8[], $5::int4[], $6::text[]) as e(term, first, last, count, data)
    cross join lateral (select ctid from posting_blocks
                         where tenant_id = $1 and term = e.term and first = e.first limit 1) as stored(id)
    where b.ctid = stored.id`,
);

/** $1 tenant, then arrays of one length, one for each column. */
export const insertBlocks = statement(
  'search.insert_blocks',
  `insert into posting_blocks (tenant_id, term, first, last, count, data)
   select $1, * from unnest($2::text[], $3::int8[], $4::int8[], $5::int4[], $6::text[])`,
);

/** Assigns first numbers. $1 tenant, $2 files, $3 their first numbers. */
export const numberFiles = statement(
  'search.number_files',
  `update files f set first_number = n.first_number
     from unnest($2::uuid[], $3::int8[]) as n(file_id, first_number)
    cross join lateral (select ctid from files where tenant_id = $1 and file_id = n.file_id limit 1) as stored(id)
    where f.ctid = stored.id`,
);

/**
 * Adds the merged passages to the totals. $1 tenant, $2 next number, $3 chunks, $4 their length, $5 titles, $6 their length, $7 the last
 * merged file, which is partial when some of it is still in the tail.
 */
export const recordMerge = statement(
  'search.record_merge',
  `update tenant_indexes
      set next_number = $2, chunks = chunks + $3, chunk_length = chunk_length + $4, titles = titles + $5,
          title_length = title_length + $6,
          partial_file_id = (select file_id from tail_parts where tenant_id = $1 and file_id = $7 limit 1)
    where tenant_id = $1`,
);
