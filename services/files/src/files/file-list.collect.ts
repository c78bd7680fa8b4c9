// The SQL of a list of files that begins with the index of metadata, or with the index of names and the ids of files that match by their
// content. Each match is looked up, and those that fulfil the whole query are sorted. Only where one of the filters has few matches: the
// list is read in order otherwise (file-list.skipping.ts). So the cost of a page does not grow with the number of matches.
//
// The planner's estimate of the number of matches is unreliable. `limit 1` keeps it from turning the look-ups into a join.
import {
  isSearched,
  LISTED,
  metadataConditions,
  rangeConditions,
  searchedIds,
  SORTS,
  spaceNames,
  Values,
  visibleConditions,
  type ListQuery,
  type Sql,
} from './file-list.statements.js';

/** A look-up costs as much as reading some 50 ids in order. Of a million files with this many matches, 25,000 ids hold a page. */
const FEW_MAX = 2_000;

/** Matches of one filter, no more than needed to see that they are many. */
const found = (filter: string, ids: string) => [
  `by_${filter} as materialized (${ids} limit ${FEW_MAX + 1})`,
  `count_by_${filter} as (select count(*) <= ${FEW_MAX} as is_few from by_${filter})`,
];

/**
 * The page of a query with metadata or search. Without a file it is one row whose `id` is null; `is_many` says that no filter has few
 * matches, so that no page was made. Not prepared: the number of matches decides which index to begin with.
 */
export function collectStatement(query: ListQuery): Sql {
  const { metadata, search, sortBy, sortOrder } = query;
  const values = new Values();
  const tenant = values.add(query.tenantId, 'uuid');
  const hasMetadata = metadataConditions(query, values);
  const parts: string[] = [];
  const chosen: string[] = [];
  if (metadata) {
    parts.push(
      ...found('metadata', `select f.id from files f where f.tenant_id = ${tenant} and ${hasMetadata.join()}`),
    );
    chosen.push('select id from by_metadata where (select is_few from count_by_metadata)');
  }
  if (search) {
    parts.push(...found('search', searchedIds(search, values, tenant)));
    const unlessByMetadata = metadata ? ' and not (select is_few from count_by_metadata)' : '';
    chosen.push(`select distinct id from by_search where (select is_few from count_by_search)${unlessByMetadata}`);
  }
  const conditions = [
    ...rangeConditions(query, values, tenant),
    'f.id = c.id',
    ...hasMetadata,
    ...(query.status === undefined ? [] : [`f.status = '${query.status}'`]),
    ...visibleConditions(query, tenant),
    ...(metadata && search ? [isSearched(search, values, tenant)] : []),
  ];
  const filters = [...(metadata ? ['metadata'] : []), ...(search ? ['search'] : [])];
  const isMany = filters.map((filter) => `not (select is_few from count_by_${filter})`).join(' and ');
  const text = `with ${parts.join(', ')}, page as (
      select f.* from (${chosen.join(' union all ')}) c cross join lateral (
        select ${LISTED}, f.space_id, ${SORTS[sortBy].expression} as sort_key from files f
        where ${conditions.join(' and ')} limit 1) f
      order by f.sort_key ${sortOrder}, f.id ${sortOrder} limit ${values.add(query.limit, 'int')}
    )
    select ${LISTED}, s.space, many.is_many from (select ${isMany} as is_many) many left join page f on true
    ${spaceNames(query, values, tenant)}
    order by f.sort_key ${sortOrder}, f.id ${sortOrder}`;
  return { statement: { name: '', text }, values: values.list };
}
