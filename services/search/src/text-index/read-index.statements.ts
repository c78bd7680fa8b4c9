// The SQL that reads the index, the hottest of this service. A search and a match read the same: `readIndex` in one snapshot, then
// `readFurther` for the ranges of numbers that were too much for it. Postings are one text, whose parts are joined by line feeds, which no
// term and no number contains. PostgreSQL and the driver handle one text many times faster than a row or a JSON string for each block.
import { statement } from '@kiln/platform';
import { NUMBERS_PER_WINDOW } from '../postings/domain/number-set.js';
import { BLOCK_BYTES } from './postings-memory.domain.js';

/** A range of numbers begins and ends at a multiple of this. So few numbers rarely contain the beginnings of more than one block of a term. */
const NUMBERS_PER_UNIT = 512;
/** What a block takes beside its postings: its numbers in three JSON arrays, and the objects made of them. */
const BYTES_PER_BLOCK = 100;
/** Words with more blocks are not rare. */
const RARE_BLOCKS_MAX = 32;

/** If OpenSearch is this far behind, searches fail until it has caught up. */
export const WITHHELD_MAX = 50_000;

const END = `${Number.MAX_SAFE_INTEGER}::int8`;
const RANGE_END = '(select range_end from range)';

const TERMS = 'unnest($2::text[]) with ordinality as t(term, position)';
const blocksOf = (terms: string) => `${terms} join posting_blocks b on b.tenant_id = $1 and b.term = t.term`;
const TERM_BLOCKS = blocksOf(TERMS);
/** Facets can be left out: see `readIndex`. */
const READ_BLOCKS = blocksOf('read_term as t');

/** Reads one row with the columns of `IndexRange`: see searching/domain/index-reader.ts. */
const blocksIn = (blocks: string, range: string) => `
  select json_agg(t.position) as positions, json_agg(b.first) as firsts, json_agg(b.count) as counts, string_agg(b.data, e'\\n') as postings
    from ${blocks} and ${range}`;
/** The removed numbers of the windows in which the terms have blocks, from a table `touched`. */
const REMOVED_WINDOWS = `
  (select json_agg(json_build_array(window_number, ranges))
     from (select w.window_number, w.ranges from touched join removed_windows w on w.tenant_id = $1 and w.window_number = touched.number
           union all
           select w.window_number, w.ranges from touched join collected_windows w on w.tenant_id = $1 and w.window_number = touched.number
          ) as w) as removed_windows`;

/** Files of which OpenSearch has, or may have, a version that searches must not find. */
const WITHHELD = `select json_agg(file_id)
  from (select file_id from opensearch_files where tenant_id = $1 and not served limit ${WITHHELD_MAX}) as w`;

/**
 * Reads the postings, removals and totals that a search needs, as `IndexStart`. It must be one statement: between two statements, a merge could move
 * passages, which would then be read twice or not at all. It divides the numbers into ranges of about $3 bytes of postings. If there are
 * several, it reads only the first of them, or none unless $4. $1 tenant, $2 terms.
 *
 * The terms $5 are facets. If their blocks are more than $7, and the other terms have at most $6 postings, it leaves the facets out, and
 * `readFacets` reads the blocks near these postings.
 */
export const readIndex = statement(
  'search.read_index',
  `with facets as materialized (
     select case when cardinality($5::text[]) > 0 then (
       select count(*) <= ${RARE_BLOCKS_MAX} and coalesce(sum(count), 0) <= $6::int4
              and coalesce(sum(bytes), 0) + coalesce(sum(count), 0) * cardinality($5::text[]) * ${BLOCK_BYTES} <= $3::int8
              and exists (select from posting_blocks where tenant_id = $1 and term = any($5::text[]) offset $7::int4)
         from (select b.count, octet_length(b.data) + ${BYTES_PER_BLOCK} as bytes
                 from ${TERM_BLOCKS} where t.term <> all($5::text[]) limit ${RARE_BLOCKS_MAX + 1}) as rare
     ) else false end as left_out
   ), read_term as materialized (
     select t.term, t.position from ${TERMS} where t.term <> all($5::text[]) or not (select left_out from facets)
   ), unit as materialized (
     select unit, sum(bytes) as bytes, max(last) as last
       from (select b.first / ${NUMBERS_PER_UNIT} as unit, octet_length(b.data) + ${BYTES_PER_BLOCK} as bytes, b.last
               from ${READ_BLOCKS} offset 0) as block
      group by unit
   ), unit_range as materialized (
     select unit, div(sum(bytes) over (order by unit) - bytes, $3::int8) as range from unit
   ), further_range as materialized (
     select first from (select min(unit) * ${NUMBERS_PER_UNIT} as first from unit_range group by range) as r order by first offset 1
   ), range as materialized (
     select case when count(*) = 0 then ${END} when $4::boolean then min(first) else 0 end as range_end,
            case when count(*) > 0 and $4::boolean then min(first) else ${END} end as further_start,
            json_agg(first order by first) as further_ranges from further_range
   ), touched as materialized (
     select distinct generate_series(unit * ${NUMBERS_PER_UNIT} / ${NUMBERS_PER_WINDOW}, last / ${NUMBERS_PER_WINDOW}) as number
       from unit where unit * ${NUMBERS_PER_UNIT} < ${RANGE_END}
   )
   select merged_blocks.*, tail.files as tail, tail.data as tail_data, (select further_ranges from range),
          (select left_out from facets) as facets_left_out,
          ${REMOVED_WINDOWS},
          (select json_agg(json_build_array(first_number, numbers))
             from removed_ranges where tenant_id = $1 and not collected) as removed_ranges,
          (select json_agg(json_build_array(position, count))
             from (select t.position, sum(b.count)::int8 as count
                     from ${READ_BLOCKS} and b.first >= (select further_start from range) group by t.position) as f) as further,
          (select row_to_json(i) from (select next_number, chunks, chunk_length, titles, title_length, xmin::text as version
                                         from tenant_indexes where tenant_id = $1) as i) as merged,
          (select json_agg(language) from tenant_languages where tenant_id = $1) as languages,
          (select row_to_json(r) from (select files, chunks, chunk_length, titles, title_length, (${WITHHELD}) as withheld
                                         from opensearch_tenants where tenant_id = $1 and files > 0
                                          and exists (select from opensearch_files where tenant_id = $1 and served)) as r) as remote
     from (${blocksIn(READ_BLOCKS, `b.first < ${RANGE_END}`)}) as merged_blocks
    cross join (
     select string_agg(t.data, e'\\n') as data,
            json_agg(json_build_object(
              'file_id', t.file_id, 'part', t.part, 'last_place', t.last_place, 'first_number', f.first_number,
              'job_number', t.job_number, 'fence', t.fence, 'chunks', t.chunks, 'chunk_length', t.chunk_length,
              'titles', t.titles, 'title_length', t.title_length)) as files
       from tail_parts t
       left join tenant_indexes i on i.tenant_id = $1 and i.partial_file_id = t.file_id
       left join files f on f.tenant_id = $1 and f.file_id = i.partial_file_id
      where t.tenant_id = $1) as tail`,
);

/** The values of `readIndex` from $5, to read each term. */
export const WITH_ALL_FACETS = [[], 0, 0] as const;

/**
 * Reads a further range of numbers, as `IndexRange`. Blocks of earlier ranges can continue in it: the windows that they touch were read with
 * them. $1 tenant, $2 terms, $3 first number, $4 end (exclusive).
 */
export const readFurther = statement(
  'search.read_further',
  `with touched as materialized (
     select distinct generate_series(b.first / ${NUMBERS_PER_WINDOW}, b.last / ${NUMBERS_PER_WINDOW}) as number
       from ${TERM_BLOCKS} and b.first >= $3::int8 and b.first < $4::int8
   )
   select merged.*, ${REMOVED_WINDOWS} from (${blocksIn(TERM_BLOCKS, 'b.first >= $3::int8 and b.first < $4::int8')}) as merged`,
);

/**
 * Reads the blocks of facets that `readIndex` has left out, as `FacetBlocks`. If a file has a facet, the block is the last one that begins at
 * or before any number of the file. $1 tenant, $2 facets, $3 numbers of passages.
 */
export const readFacets = statement(
  'search.read_facets',
  `with near as materialized (
     select distinct t.position, t.term, b.first
       from ${TERMS} cross join unnest($3::int8[]) as n(number)
      cross join lateral (select first from posting_blocks where tenant_id = $1 and term = t.term and first <= n.number
                           order by first desc limit 1) as b
   )
   select near_blocks.*, (select xmin::text from tenant_indexes where tenant_id = $1) as version
     from (${blocksIn(blocksOf('near as t'), 'b.first = t.first')}) as near_blocks`,
);
