// The SQL that collects removed numbers in windows, and purges their postings: set-based statements under the tenant's advisory lock.
import { statement } from '@kiln/platform';

/** Deletes at most $3 ranges and returns them, if together they have at least $2 numbers. $1 tenant. */
export const takeRanges = statement(
  'search.take_removed_ranges',
  `delete from removed_ranges where tenant_id = $1
      and (select sum(numbers) from (select numbers from removed_ranges where tenant_id = $1 limit $3) as next) >= $2
      and first_number in (select first_number from removed_ranges where tenant_id = $1 order by first_number limit $3)
   returning first_number, numbers, chunks, chunk_length, titles, title_length`,
);

/**
 * Marks at most $3 ranges as collected and returns them, if together they have at least $2 numbers. The rows remain until the purge has ended,
 * also for processes of the release before, which read all rows. $1 tenant.
 */
export const markRanges = statement(
  'search.mark_removed_ranges',
  `update removed_ranges set collected = true where tenant_id = $1 and not collected
      and (select sum(numbers) from (select numbers from removed_ranges where tenant_id = $1 and not collected limit $3) as next) >= $2
      and first_number in (select first_number from removed_ranges where tenant_id = $1 and not collected order by first_number limit $3)
   returning first_number, numbers`,
);

/** Deletes the copies when no range needs them. $1 tenant. */
export const deleteCollected = statement(
  'search.delete_collected_windows',
  `delete from collected_windows where tenant_id = $1
      and not exists (select 1 from removed_ranges where tenant_id = $1 and collected)`,
);

const writeInto = (table: string) => `
  insert into ${table} (tenant_id, window_number, ranges) select $1, * from unnest($2::int8[], $3::text[])
  on conflict (tenant_id, window_number) do update set ranges = excluded.ranges`;

/** Inserts or replaces windows. $1 tenant, $2 windows, $3 ranges. */
export const writeWindows = statement('search.write_removed_windows', writeInto('removed_windows'));
/** The same for numbers that are collected during a purge. */
export const writeCollected = statement('search.write_collected_windows', writeInto('collected_windows'));

/** Adds the removed passages to the totals. $1 tenant, $2 chunks, $3 their length, $4 titles, $5 their length. */
export const recordRemoved = statement(
  'search.record_removed',
  `update tenant_indexes
      set removed_chunks = removed_chunks + $2, removed_chunk_length = removed_chunk_length + $3,
          removed_titles = removed_titles + $4, removed_title_length = removed_title_length + $5
    where tenant_id = $1`,
);

/** A keyset batch of blocks. $1 tenant, $2 and $3 the term and number after which it begins, $4 limit. */
export const readBlocks = statement(
  'search.read_blocks',
  `select term, first, last, count, data from posting_blocks
    where tenant_id = $1 and (term, first) > ($2::text, $3::int8) order by term, first limit $4`,
);

/** Looks up each block as the statements of merges do. $1 tenant, $2 terms, $3 first numbers. */
export const deleteBlocks = statement(
  'search.delete_blocks',
  `delete from posting_blocks b using unnest($2::text[], $3::int8[]) as deleted(term, first)
    cross join lateral (select ctid from posting_blocks
                         where tenant_id = $1 and term = deleted.term and first = deleted.first limit 1) as stored(id)
    where b.ctid = stored.id`,
);

/** Ends a purge: no block contains a number of the windows any more. $1 tenant. */
export const endPurge = statement(
  'search.end_purge',
  `with cleared as (delete from removed_windows where tenant_id = $1)
   update tenant_indexes
      set chunks = chunks - removed_chunks, chunk_length = chunk_length - removed_chunk_length,
          titles = titles - removed_titles, title_length = title_length - removed_title_length,
          removed_chunks = 0, removed_chunk_length = 0, removed_titles = 0, removed_title_length = 0,
          purge_term = null, purge_first = null
    where tenant_id = $1`,
);
