// The SQL of a list of files that begins with the index of metadata or of search terms. The files found by metadata bring the key
// they are sorted by along. Those found by search do not; of the ways to go on, how many were found decides, and not how
// many the planner takes them for:
//
//   few    each file found is looked up, and the page sorted out
//   many   the files are read in order, from those found by metadata or else from an index that holds all this needs, and let
//          through by a hash table of those found by search: at most a pass over the ids of a tenant, wherever in the order
//          the matches lie
//
// The planner would turn both into joins, and choose them by its guess: `limit 1` and `offset 0` keep it from that.
import type { SearchTerms } from '../domain/search-terms.js';
import {
  contentConditions,
  LISTED,
  rangeConditions,
  SORTS,
  statusesOf,
  Values,
  type ListQuery,
  type Sql,
} from './file-list.statements.js';

/** A lookup costs as much as some 50 ids in order; of a million files of which so many match, 25,000 ids hold a page. */
const FEW_MAX = 2_000;

/** Two lookups: the index would answer one condition with `or` as well, but then cut each name into its grams again. */
function foundByTerms({ name, grams, words }: SearchTerms, values: Values, tenant: string): string {
  const lookups = [
    `name_grams(t.name) @> ${values.add(grams, 'text[]')} and position(${values.add(name, 'text')} in t.name) > 0`,
  ];
  if (words.length > 0) lookups.push(`t.words @> ${values.add(words, 'text[]')}`);
  return lookups
    .map((condition) => `select t.file_id as id from file_terms t where t.tenant_id = ${tenant} and ${condition}`)
    .join(' union all ');
}

/** Puts the parts of one statement together. */
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
    if (metadata) found.push(this.foundByMetadata(metadata));
    if (search) {
      found.push(`by_search as materialized (${foundByTerms(search, this.values, this.tenant)})`, count('search'));
    }
    if (metadata && search) found.push(count('metadata'));
    return `with ${found.join(', ')}, page as (${this.ways(first).join(' union all ')})
      select ${LISTED} from page p
      cross join lateral (select * from files f where f.tenant_id = ${this.tenant} and f.id = p.id limit 1) f
      order by p.sort_key ${sortOrder}, p.id ${sortOrder}`;
  }

  /** Exactly one of these is gone. */
  private ways(first: string): string[] {
    const { metadata, search } = this.query;
    if (!search) return [`(${this.seen('by_metadata')} ${first})`];
    const way = (files: string, conditions: string[]) => `(${files} and ${conditions.join(' and ')} ${first})`;
    const isListed = '(f.id in (select id from by_search)) is true';
    const fewFound = '(select is_few from count_by_search)';
    const lookedUp = `select id, sort_key from (${this.lookedUp()}) f where true`;
    if (!metadata) {
      return [way(lookedUp, [fewFound]), way(this.seen(`(${this.inOrder()})`), [`not ${fewFound}`, isListed])];
    }
    const fewHaveMetadata = '(select is_few from count_by_metadata)';
    const hasTerms =
      contentConditions({ ...this.query, metadata: undefined }, this.values, this.tenant).search ?? 'true';
    return [
      way(this.seen('by_metadata'), [fewHaveMetadata, hasTerms]),
      way(lookedUp, [`not ${fewHaveMetadata}`, fewFound]),
      way(this.seen('by_metadata'), [`not ${fewHaveMetadata}`, `not ${fewFound}`, isListed]),
    ];
  }

  /** Read in order, and asked one by one whether their space is being deleted: what they are read from does not tell. */
  private seen(files: string): string {
    const { sortOrder } = this.query;
    return `select id, sort_key from (select * from ${files} o order by sort_key ${sortOrder}, id ${sortOrder} offset 0) f
      where exists (select from files v where v.tenant_id = ${this.tenant} and v.id = f.id offset 0)`;
  }

  private foundByMetadata(metadata: Record<string, string>): string {
    const conditions = [this.place, `f.metadata @> ${this.values.add(metadata, 'jsonb')}`, ...this.inStatus()];
    return `by_metadata as materialized (select f.id, ${this.sortKey} from file_rows f where ${conditions.join(' and ')})`;
  }

  /** Those of the files found by search that match all of the query. */
  private lookedUp(): string {
    const others = Object.values(contentConditions({ ...this.query, search: undefined }, this.values, this.tenant));
    const conditions = [this.place, 'f.id = c.id', ...others, ...this.inStatus()];
    return `select f.id, f.sort_key from (select distinct id from by_search) c cross join lateral (
      select f.id, ${this.sortKey} from files f where ${conditions.join(' and ')} limit 1) f`;
  }

  private inOrder(): string {
    const { sortBy, sortOrder } = this.query;
    const order = `order by ${SORTS[sortBy].expression} ${sortOrder}, f.id ${sortOrder}`;
    return statusesOf(this.query)
      .map((status) => `f.status = '${status}'`)
      .map((inStatus) => `(select f.id, ${this.sortKey} from file_rows f where ${this.place} and ${inStatus} ${order})`)
      .join(' union all ');
  }

  private inStatus(): string[] {
    return this.query.status === undefined ? [] : [`f.status = '${this.query.status}'`];
  }
}

const count = (filter: string) =>
  `count_by_${filter} as (select count(*) <= ${FEW_MAX} as is_few from (select from by_${filter} limit ${FEW_MAX + 1}) c)`;

/**
 * The page of a query with metadata or search, whatever the share that matches. Not prepared: how many match what is asked for
 * decides which index to begin with.
 */
export function collectStatement(query: ListQuery): Sql {
  const collection = new Collection(query);
  return { statement: { name: '', text: collection.text() }, values: collection.values.list };
}
