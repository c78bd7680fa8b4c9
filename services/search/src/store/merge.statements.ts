// The SQL of a merge. All of it runs in one transaction that holds the tenant's advisory lock.
import { statement } from '@kiln/platform';

/**
 * Answers one row: how many passages the first rows of the tail have (a file without terms counts as one), whose they are, and
 * the partial file if it is not whole yet. $1 tenant, $2 rows to look at, $3 partial file or null.
 */
export const chooseFiles = statement(
  'search.choose_tail_files',
  `select coalesce(sum(greatest(chunks + titles, 1)), 0)::int8 as passages,
          coalesce(array_agg(distinct file_id), '{}') as file_ids,
          (select file_id from index_tail where tenant_id = $1 and file_id = $3 limit 1) as partial_file_id
     from (select file_id, chunks, titles from index_tail where tenant_id = $1 order by file_id, part limit $2) as tail`,
);

/** Files that a writer holds are left out, and not waited for. $1 tenant, $2 files. */
export const lockFiles = statement(
  'search.lock_tail_files',
  `select file_id, first_number, chunks from file where tenant_id = $1 and file_id = any($2::uuid[])
    order by file_id for update skip locked`,
);

/**
 * Reads the tail of locked files after they are locked: what was chosen may have been replaced meanwhile. The partial file
 * comes first, since its numbers do. $1 tenant, $2 files, $3 partial file or null.
 */
export const readTailSizes = statement(
  'search.read_tail_sizes',
  `select file_id, part, chunks + titles as passages, octet_length(data) as bytes
     from index_tail where tenant_id = $1 and file_id = any($2::uuid[])
    order by file_id is distinct from $3::uuid, file_id, part`,
);

/** Takes rows out of the tail. $1 tenant, $2 files, $3 parts of them. */
export const takeTail = statement(
  'search.take_tail',
  `delete from index_tail t using unnest($2::uuid[], $3::int4[]) as chosen(file_id, part)
    where t.tenant_id = $1 and t.file_id = chosen.file_id and t.part = chosen.part
   returning t.file_id, t.part, t.chunks, t.chunk_length, t.titles, t.title_length, t.data`,
);

/** The last block of each term that has one. $1 tenant, $2 terms. */
export const lastBlocks = statement(
  'search.last_blocks',
  `select t.term, b.first, b.last, b.count
     from unnest($2::text[]) as t(term)
    cross join lateral (select first, last, count from posting_block
                         where tenant_id = $1 and term = t.term order by first desc limit 1) as b`,
);

/** $1 tenant, then arrays of one length: terms, first numbers of their last blocks, new last numbers, postings more, data. */
export const extendBlocks = statement(
  'search.extend_blocks',
  `update posting_block b set last = e.last, count = b.count + e.count, data = b.data || e.data
     from unnest($2::text[], $3::int8[], $4::int8[], $5::int4[], $6::text[]) as e(term, first, last, count, data)
    where b.tenant_id = $1 and b.term = e.term and b.first = e.first`,
);

/** $1 tenant, then arrays of one length. */
export const insertBlocks = statement(
  'search.insert_blocks',
  `insert into posting_block (tenant_id, term, first, last, count, data)
   select $1, * from unnest($2::text[], $3::int8[], $4::int8[], $5::int4[], $6::text[])`,
);

/** $1 tenant, $2 files, $3 their first numbers. */
export const numberFiles = statement(
  'search.number_files',
  `update file f set first_number = n.first_number
     from unnest($2::uuid[], $3::int8[]) as n(file_id, first_number)
    where f.tenant_id = $1 and f.file_id = n.file_id`,
);

/**
 * $1 tenant, $2 next number, $3 chunks more, $4 their length, $5 titles more, $6 their length, $7 the file taken last. It is
 * partial when some of it is still in the tail.
 */
export const recordMerge = statement(
  'search.record_merge',
  `update tenant_index
      set next_number = $2, chunks = chunks + $3, chunk_length = chunk_length + $4, titles = titles + $5,
          title_length = title_length + $6,
          partial_file_id = (select file_id from index_tail where tenant_id = $1 and file_id = $7 limit 1)
    where tenant_id = $1`,
);
