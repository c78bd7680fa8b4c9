// The SQL of a list of files that begins with the index of metadata, or with the index of names and the ids of files that match by their
// content. Files found by metadata come with their sort key. Files found by search do not; the number of matches decides how to continue:
//
//   few    each match is looked up, and the page is sorted
//   many   the files are read in order, from those found by metadata or from an index that holds all columns needed, and are
//          filtered by a hash table of the matches. That is at most one pass over the ids of a tenant, wherever the matches are
//
// The planner's estimate of the number of matches is unreliable. `limit 1` and `offset 0` keep it from turning either into a join.
import {
  metadataConditions,
  LISTED,
  rangeConditions,
  SORTS,
  spaceNames,
  statusesOf,
  Values,
  visibleConditions,
  type ListQuery,
  type SearchedFiles,
  type Sql,
} from './file-list.statements.js';

/** A look-up costs as much as reading some 50 ids in order. Of a million files with this many matches, 25,000 ids hold a page. */
const FEW_MAX = 2_000;

/** The ids as rows. The driver takes several times as long to write an array of them. */
const idRows = (fileIds: readonly string[], values: Values) =>
  `select unnest(${values.add(`{${fileIds.join()}}`, 'uuid[]')}) as id`;

/** `in` a query, since an array would be compared one by one; `offset 0` prevents a join. */
const isSearched = ({ name, fileIds }: SearchedFiles, values: Values, tenant: string) =>
  `(f.id in (${idRows(fileIds, values)}) or exists (
      select from file_names t where t.tenant_id = ${tenant} and t.file_id = f.id
        and position(${values.add(name, 'text')} in t.name) > 0 offset 0))`;

const foundBySearch = ({ name, grams, fileIds }: SearchedFiles, values: Values, tenant: string) =>
  `select t.file_id as id from file_names t
   where t.tenant_id = ${tenant} and name_grams(t.name) @> ${values.add(grams, 'text[]')}
     and position(${values.add(name, 'text')} in t.name) > 0
   union all ${idRows(fileIds, values)}`;

/** Assembles the parts of one statement. */
class Collection {
  readonly values = new Values();
  private readonly tenant: string;
  private readonly place: string;
  private readonly sortKey: string;

  constructor(private readonly query: ListQuery) {
    this.tenant = this.values.add(query.tenantId, 'uuid');
    this.place = rangeConditions(query, this.values, this.tenant).join(' and ');
    this.sortKey = `${SORTS[query.sortBy].expression} as sort_key`;
  }

  text(): string {
    const { limit, metadata, search, sortOrder } = this.query;
    const first = `order by sort_key ${sortOrder}, id ${sortOrder} limit ${this.values.add(limit, 'int')}`;
    const found: string[] = [];
    if (metadata) found.push(this.foundByMetadata());
    if (search) {
      found.push(`by_search as materialized (${foundBySearch(search, this.values, this.tenant)})`, count('search'));
    }
    if (metadata && search) found.push(count('metadata'));
    return `with ${found.join(', ')}, page as (${this.ways(first).join(' union all ')})
      select ${LISTED}, s.space from page p
      cross join lateral (select * from files f where f.tenant_id = ${this.tenant} and f.id = p.id limit 1) f
      ${spaceNames(this.query, this.values, this.tenant)}
      order by p.sort_key ${sortOrder}, p.id ${sortOrder}`;
  }

  /** Exactly one of these returns rows. */
  private ways(first: string): string[] {
    const { metadata, search } = this.query;
    const byMetadata = this.sorted('by_metadata');
    if (!search) return [`(${byMetadata} ${first})`];
    const way = (files: string, conditions: string[]) => `(${files} and ${conditions.join(' and ')} ${first})`;
    const isListed = '(f.id in (select id from by_search)) is true';
    const fewFound = '(select is_few from count_by_search)';
    const lookedUp = `select id, sort_key from (${this.lookedUp()}) f where true`;
    if (!metadata) {
      return [way(lookedUp, [fewFound]), way(this.inOrder(), [`not ${fewFound}`, isListed])];
    }
    const fewHaveMetadata = '(select is_few from count_by_metadata)';
    return [
      way(byMetadata, [fewHaveMetadata, isSearched(search, this.values, this.tenant)]),
      way(lookedUp, [`not ${fewHaveMetadata}`, fewFound]),
      way(byMetadata, [`not ${fewHaveMetadata}`, `not ${fewFound}`, isListed]),
    ];
  }

  /** Looked up one by one, so that only as many are read as the page needs. */
  private sorted(files: string): string {
    const { sortOrder } = this.query;
    return `select id, sort_key from (select * from ${files} o order by sort_key ${sortOrder}, id ${sortOrder} offset 0) f where true`;
  }

  private foundByMetadata(): string {
    const conditions = [
      this.place,
      ...metadataConditions(this.query, this.values),
      ...this.inStatus(),
      ...visibleConditions(this.query, this.tenant),
    ];
    return `by_metadata as materialized (select f.id, ${this.sortKey} from files f where ${conditions.join(' and ')})`;
  }

  /** The matches that fulfil the whole query. */
  private lookedUp(): string {
    const conditions = [
      this.place,
      'f.id = c.id',
      ...metadataConditions(this.query, this.values),
      ...this.inStatus(),
      ...visibleConditions(this.query, this.tenant),
    ];
    return `select f.id, f.sort_key from (select distinct id from by_search) c cross join lateral (
      select f.id, ${this.sortKey} from files f where ${conditions.join(' and ')} limit 1) f`;
  }

  /** In a list of all spaces each file is checked for a deleted space, which the index does not show. */
  private inOrder(): string {
    const { sortBy, sortOrder } = this.query;
    const order = `order by ${SORTS[sortBy].expression} ${sortOrder}, f.id ${sortOrder}`;
    const ranges = statusesOf(this.query)
      .map((status) => `f.status = '${status}'`)
      .map((inStatus) => `(select f.id, ${this.sortKey} from files f where ${this.place} and ${inStatus} ${order})`)
      .join(' union all ');
    const areVisible = visibleConditions(this.query, this.tenant, 'v').map(
      (isVisible) =>
        `exists (select from files v where v.tenant_id = ${this.tenant} and v.id = f.id and ${isVisible} offset 0)`,
    );
    return [this.sorted(`(${ranges})`), ...areVisible].join(' and ');
  }

  private inStatus(): string[] {
    return this.query.status === undefined ? [] : [`f.status = '${this.query.status}'`];
  }
}

const count = (filter: string) =>
  `count_by_${filter} as (select count(*) <= ${FEW_MAX} as is_few from (select from by_${filter} limit ${FEW_MAX + 1}) c)`;

/**
 * The page of a query with metadata or search, whatever the share of matches. Not prepared: the number of matches decides which index
 * to begin with.
 */
export function collectStatement(query: ListQuery): Sql {
  const collection = new Collection(query);
  return { statement: { name: '', text: collection.text() }, values: collection.values.list };
}
