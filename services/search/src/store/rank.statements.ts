// BM25 in SQL, on the plan that domain/bm25.ts makes.
import { statement } from '@kiln/platform';
import { B, CANDIDATES_MAX, K1, TITLE_WEIGHT } from '../domain/bm25.js';

/** $1 tenant. */
export const passageStatistics = statement(
  'search.passage_statistics',
  `select coalesce(sum(chunks), 0)::bigint as chunks, coalesce(sum(chunk_length), 0)::bigint as chunk_length,
          coalesce(sum(titles), 0)::bigint as titles, coalesce(sum(title_length), 0)::bigint as title_length
     from passage_statistics where tenant_id = $1`,
);

/** $1 tenant, $2 lexemes. */
export const termStatistics = statement(
  'search.term_statistics',
  `select term, sum(passages)::bigint as passages from term_statistics
    where tenant_id = $1 and term = any($2::text[]) group by term`,
);

/**
 * How often a lexeme is in a tsvector. For one lexeme, ts_rank with all weights 1 is H(n) / (π²/6) with
 * H(n) = 1 + 1/4 + … + 1/n² (calc_rank_or in PostgreSQL's tsrank.c), and n is the whole number next to
 * 1 / (π²/6 - H(n)) - 1/2; 0 when it is not there. It is the only way to a count that does not unpack the vector. A test
 * holds it against real counts. It must stand once in the statement: it is evaluated wherever it stands.
 */
const REPEATS = `round(1 / (1.6449340668 * (1 - ts_rank('{1,1,1,1}', candidate.terms, term.query)::float8)) - 0.5)`;

/**
 * $1 tenant, $2 drivers as one tsquery, $3 terms, $4 weights, $5 average chunk length, $6 average title length, $7 limit,
 * $8 media type or null, $9 metadata or null; further ones belong to `condition`.
 */
const rank = (condition: string) => `
  with term as materialized (
    select * from unnest($3::tsquery[], $4::float8[]) as t(query, weight)
  ), candidate as materialized (
    select p.file_id, p.index, p.terms,
           ${K1} * (1 - ${B} + ${B} * p.length / case when p.index < 0 then $6::float8 else $5::float8 end) as saturation
      from passage p
     where p.tenant_id = $1 and p.terms @@ $2::tsquery ${condition}
       and ($8::text is null and $9::jsonb is null or exists (
             select from file f
              where f.tenant_id = p.tenant_id and f.file_id = p.file_id
                and ($8::text is null or f.content_type = $8) and ($9::jsonb is null or f.metadata @> $9)))
     limit ${CANDIDATES_MAX}
  ), scored as (
    select candidate.file_id, candidate.index,
           -- n / (n + saturation), written so that n stands once.
           sum(term.weight * ${K1 + 1} * (1 - candidate.saturation / (candidate.saturation + ${REPEATS}))) as score
      from candidate
     cross join term
     group by candidate.file_id, candidate.index
  ), best_chunk as (
    select distinct on (file_id) file_id, index, score from scored where index >= 0
     order by file_id, score desc, index
  ), ranked as (
    select file_id, coalesce(c.score, 0) + ${TITLE_WEIGHT} * coalesce(t.score, 0) as score, coalesce(c.index, 0) as index
      from best_chunk c
      full join (select file_id, score from scored where index < 0) t using (file_id)
  ), top as (
    select file_id, score, index, count(*) over () as total from ranked order by score desc, file_id limit $7
  )
  select top.file_id, top.score, top.total, coalesce(c.body, '') as body
    from top left join chunk c on c.tenant_id = $1 and c.file_id = top.file_id and c.index = top.index
   order by top.score desc, top.file_id`;

export const rankFiles = statement('search.rank_files', rank(''));

/** $10 space. */
export const rankFilesOfSpace = statement('search.rank_files_of_space', rank('and p.space = $10'));
