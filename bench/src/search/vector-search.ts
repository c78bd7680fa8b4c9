// The former search over `tsvector`s. It scores at most 20,000 passages, selected by the rarest terms by counts over the whole
// tenant, and derives term frequencies from `ts_rank`.
import { statement, type Database } from '@kiln/platform';
import { strongLexeme } from './vector-index.js';

const K1 = 1.2;
const B = 0.75;
const TITLE_WEIGHT = 0.5;
const CANDIDATES_MAX = 20_000;
const TERMS_MAX = 64;

const totalsOf = statement('bench.totals', 'select * from vectors.passage_statistics where tenant_id = $1');
const countsOf = statement(
  'bench.counts',
  'select term, passages from vectors.term_statistics where tenant_id = $1 and term = any($2::text[])',
);

const REPEATS = `round(1 / (1.6449340668 * (1 - ts_rank('{1,1,1,1}', candidate.terms, term.query)::float8)) - 0.5)`;

const rank = (condition: string) => `
  with term as materialized (
    select * from unnest($3::tsquery[], $4::float8[]) as t(query, weight)
  ), candidate as materialized (
    select p.file_id, p.index, p.terms,
           ${K1} * (1 - ${B} + ${B} * p.length / case when p.index < 0 then $6::float8 else $5::float8 end) as saturation
      from vectors.passage p
     where p.tenant_id = $1 and p.terms @@ $2::tsquery ${condition}
     limit ${CANDIDATES_MAX}
  ), scored as (
    select candidate.file_id, candidate.index,
           sum(term.weight * ${K1 + 1} * (1 - candidate.saturation / (candidate.saturation + ${REPEATS}))) as score
      from candidate cross join term group by candidate.file_id, candidate.index
  ), best_chunk as (
    select distinct on (file_id) file_id, index, score from scored where index >= 0 order by file_id, score desc, index
  ), ranked as (
    select file_id, coalesce(c.score, 0) + ${TITLE_WEIGHT} * coalesce(t.score, 0) as score, coalesce(c.index, 0) as index
      from best_chunk c full join (select file_id, score from scored where index < 0) t using (file_id)
  ), top as (
    select file_id, score, index, count(*) over () as total from ranked order by score desc, file_id limit $7
  )
  select top.file_id, top.score, top.total, coalesce(c.body, '') as body
    from top left join search.chunks c on c.tenant_id = $1 and c.file_id = top.file_id and c.index = top.index
   order by top.score desc, top.file_id`;

const rankAll = statement('bench.rank_all', rank(''));
const rankSpace = statement('bench.rank_space', rank('and p.space = $8'));

interface Totals {
  chunks: number;
  chunk_length: number;
  titles: number;
  title_length: number;
}

function chooseDrivers(known: readonly string[], count: (lexeme: string) => number): string[] {
  const drivers: string[] = [];
  let candidates = 0;
  for (const term of known.toSorted((left, right) => count(left) - count(right))) {
    const driver = candidates + count(term) <= CANDIDATES_MAX ? term : strongLexeme(term);
    const fits = candidates + count(driver) <= CANDIDATES_MAX;
    if (count(driver) === 0 || (!fits && drivers.length > 0)) continue;
    drivers.push(driver);
    candidates += count(driver);
  }
  return drivers.length > 0 ? drivers : known.slice(0, 1);
}

export async function searchVectors(
  database: Database,
  tenantId: string,
  query: readonly string[],
  space: string | undefined,
  limit: number,
): Promise<{ total: number }> {
  const terms = [...new Set(query)].slice(0, TERMS_MAX);
  const [[totals], rows] = await Promise.all([
    database.query<Totals>(totalsOf, [tenantId]),
    database.query<{ term: string; passages: number }>(countsOf, [
      tenantId,
      terms.flatMap((t) => [t, strongLexeme(t)]),
    ]),
  ]);
  const counts = new Map(rows.map((row) => [row.term, row.passages]));
  const count = (lexeme: string) => counts.get(lexeme) ?? 0;
  const known = terms.filter((term) => count(term) > 0);
  if (!totals || known.length === 0) return { total: 0 };
  const all = totals.chunks + totals.titles;
  const values = [
    tenantId,
    chooseDrivers(known, count)
      .map((lexeme) => `'${lexeme}'`)
      .join(' | '),
    known.map((term) => `'${term}'`),
    known.map((term) => Math.log(1 + (all - count(term) + 0.5) / (count(term) + 0.5))),
    totals.chunk_length / totals.chunks,
    totals.title_length / totals.titles,
    limit,
  ];
  const found = await database.query<{ total: number }>(
    space === undefined ? rankAll : rankSpace,
    space === undefined ? values : [...values, space],
  );
  return { total: found[0]?.total ?? 0 };
}
