// The SQL of a list of files that begins with the index of metadata, or with the index of names and the ids of files that match
// by their content. It looks up each match of the latter, and sorts the files that fulfil the whole query. It is used only if one of the
// filters has few matches; otherwise the list is read in order (file-list-skipping.statement.ts). Postgres makes a bitmap of all
// matches of an index before it returns the first one, so this costs more the more matches a filter has. The cursor notes filters
// with many matches, and no later page looks for them again: only the first page pays for the bitmap. The planner's estimate of
// the number of matches is unreliable. `limit 1` keeps it from making a join of the look-ups.
import {
  isSearched,
  LISTED,
  metadataConditions,
  rangeConditions,
  searchedIds,
  SORTS,
  spaceNames,
  uncounted,
  Values,
  visibleConditions,
  type ContentFilter,
  type ListQuery,
  type Sql,
} from './file-list.statements.js';

/** A look-up costs as much as reading some 50 ids in order. Of a million files with this many matches, 25,000 ids hold a page. */
const FEW_MAX = 2_000;

/** Counts the matches of one filter, no further than needed to see that they are many. */
const found = (filter: string, ids: string) => [
  `by_${filter} as materialized (${ids} limit ${FEW_MAX + 1})`,
  `count_by_${filter} as (select count(*) <= ${FEW_MAX} as is_few from by_${filter})`,
];

const isFew = (filter: ContentFilter) => `(select is_few from count_by_${filter})`;

/** The filters with many matches, as an array. Once a filter has few matches, the following filters are not counted. */
const manyOf = (filters: readonly ContentFilter[]) =>
  `(case ${filters.map((filter, at) => `when ${isFew(filter)} then '{${filters.slice(0, at).join()}}'`).join(' ')}
    else '{${filters.join()}}' end)::text[]`;

/**
 * The page of a query with metadata or search, if one of its filters was not counted before. Without a file it is one row whose
 * `id` is null; `many` names the counted filters that have many matches. If all have, no page was made. The statement is not
 * prepared: the number of matches decides which index to begin with.
 */
export function collectStatement(query: ListQuery): Sql {
  const { metadata, search, sortBy, sortOrder } = query;
  const values = new Values();
  const tenant = values.add(query.tenantId, 'uuid');
  const hasMetadata = metadataConditions(query, values);
  const filters = uncounted(query);
  const sorted = `${LISTED}, f.space_id, ${SORTS[sortBy].expression} as sort_key`;
  const conditions = [
    ...rangeConditions(query, values, tenant),
    ...(query.status === undefined ? [] : [`f.status = '${query.status}'`]),
    ...visibleConditions(query, tenant),
    ...(metadata && search ? [isSearched(search, values, tenant)] : []),
  ];
  const parts: string[] = [];
  const chosen: string[] = [];
  if (filters.includes('metadata')) {
    const matching = `select f.tenant_id, ${sorted} from files f where f.tenant_id = ${tenant} and ${hasMetadata.join()}`;
    parts.push(...found('metadata', matching));
    const isMatch = [isFew('metadata'), ...conditions].join(' and ');
    chosen.push(`select ${sorted} from by_metadata f where ${isMatch}`);
  }
  if (search && filters.includes('search')) {
    parts.push(...found('search', searchedIds(search, values, tenant)));
    const unlessByMetadata = filters.includes('metadata') ? ` and not ${isFew('metadata')}` : '';
    const isMatch = [...conditions, 'f.id = c.id', ...hasMetadata].join(' and ');
    chosen.push(`select f.* from (
        select distinct id from by_search where ${isFew('search')}${unlessByMetadata}) c cross join lateral (
        select ${sorted} from files f where ${isMatch} limit 1) f`);
  }
  const text = `with ${parts.join(', ')}, page as (
      select f.* from (${chosen.join(' union all ')}) f
      order by f.sort_key ${sortOrder}, f.id ${sortOrder} limit ${values.add(query.limit, 'int')}
    )
    select ${LISTED}, s.space, counted.many from (select ${manyOf(filters)} as many) counted left join page f on true
    ${spaceNames(query, values, tenant)}
    order by f.sort_key ${sortOrder}, f.id ${sortOrder}`;
  return { statement: { name: '', text }, values: values.list };
}
