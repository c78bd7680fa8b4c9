// Recounts what the statistics tables keep.
import { statement, type Queryable } from '@kiln/platform';

/** Terms whose counter differs from a recount, over all tenants and in both directions. */
const wrongTerms = statement(
  'test.wrong_terms',
  `with counted as (
     select tenant_id, t.lexeme as term, count(*) as passages from passage, unnest(terms) t group by 1, 2
   ), kept as (
     select tenant_id, term, sum(passages)::bigint as passages from term_statistics group by 1, 2
   )
   select * from counted full join kept using (tenant_id, term) where counted.passages is distinct from kept.passages`,
);
const wrongTotals = statement(
  'test.wrong_totals',
  `with counted as (
     select tenant_id, count(*) filter (where index >= 0) as chunks, count(*) filter (where index < 0) as titles,
            coalesce(sum(length) filter (where index >= 0), 0) as chunk_length,
            coalesce(sum(length) filter (where index < 0), 0) as title_length
       from passage group by 1
   ), kept as (
     select tenant_id, sum(chunks) as chunks, sum(titles) as titles, sum(chunk_length) as chunk_length,
            sum(title_length) as title_length from passage_statistics group by 1
   )
   select * from counted full join kept using (tenant_id)
    where (coalesce(counted.chunks, 0), coalesce(counted.titles, 0), coalesce(counted.chunk_length, 0),
           coalesce(counted.title_length, 0))
          is distinct from (kept.chunks, kept.titles, kept.chunk_length, kept.title_length)`,
);

/** What differs from a recount; empty when all is exact. */
export async function wrongStatistics(database: Queryable): Promise<object[]> {
  return [...(await database.query(wrongTerms)), ...(await database.query(wrongTotals))];
}
