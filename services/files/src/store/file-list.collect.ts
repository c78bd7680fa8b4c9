// The SQL of a list of files that begins with the index of metadata or of search terms. It takes one of two ways, each with a
// bound, by how many files it has found and not by how many the planner takes them for:
//
//   few    each file found is looked up, and the page sorted out
//   many   the files are read in order from an index that holds all this needs, and let through by a hash table of those
//          found: at most a pass over the ids of a tenant, whichever way matches and order lie to each other
//
// The planner would turn both into joins, and choose them by its guess: `limit 1` and `offset 0` keep it from that.
import type { SearchTerms } from '../domain/search-terms.js';
import {
  contentConditions,
  qualified,
  rangeConditions,
  SORTS,
  statusesOf,
  Values,
  type ListQuery,
  type Sql,
} from './file-list.statements.js';

/** Looking up so many takes about as long as a pass over a million ids. */
const FEW_MAX = 10_000;

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

type Filter = 'metadata' | 'search';

/** Puts the parts of one statement together. */
class Collection {
  readonly values = new Values();
  private readonly tenant: string;
  private readonly place: string;
  private readonly filters: Filter[];

  constructor(private readonly query: ListQuery) {
    this.tenant = this.values.add(query.tenantId, 'uuid');
    this.place = rangeConditions(query, this.values, this.tenant).join(' and ');
    this.filters = (['metadata', 'search'] as const).filter((filter) => query[filter] !== undefined);
  }

  text(): string {
    const { filters } = this;
    const { limit, sortOrder } = this.query;
    const first = `order by sort_key ${sortOrder}, id ${sortOrder} limit ${this.values.add(limit, 'int')}`;
    const isFew = (filter: Filter) => `(select is_few from count_by_${filter})`;
    const isMany = (list: Filter[]) => list.map((filter) => `not ${isFew(filter)}`);
    const found = filters.map(
      (filter) => `by_${filter} as materialized (${this.foundBy(filter)}),
        count_by_${filter} as (select count(*) <= ${FEW_MAX} as is_few from (select from by_${filter} limit ${FEW_MAX + 1}) c)`,
    );
    const ways = filters.map((filter, at) => {
      const gate = [...isMany(filters.slice(0, at)), isFew(filter)].join(' and ');
      return `(select id, sort_key from (${this.lookedUp(filter)}) f where ${gate} ${first})`;
    });
    ways.push(`(select id, sort_key from (${this.inOrder()}) f where ${isMany(filters).join(' and ')}
      and ${filters.map((filter) => `(f.id in (select id from by_${filter})) is true`).join(' and ')}
      and exists (select from files v where v.tenant_id = ${this.tenant} and v.id = f.id offset 0) ${first})`);
    return `with ${found.join(', ')}, page as (${ways.join(' union all ')})
      select ${qualified('f')} from page p
      cross join lateral (select * from files f where f.tenant_id = ${this.tenant} and f.id = p.id limit 1) f
      order by p.sort_key ${sortOrder}, p.id ${sortOrder}`;
  }

  /** Files of deleted spaces are left out later, from fewer rows. */
  private foundBy(filter: Filter): string {
    const { metadata, search, status } = this.query;
    if (filter === 'search' && search) return foundByTerms(search, this.values, this.tenant);
    const inStatus = status === undefined ? '' : ` and f.status = '${status}'`;
    return `select f.id from file_rows f where ${this.place}${inStatus} and f.metadata @> ${this.values.add(metadata, 'jsonb')}`;
  }

  /** Those of the files found by this filter that match all of the query. */
  private lookedUp(filter: Filter): string {
    const { sortBy, status } = this.query;
    const others = Object.values(contentConditions({ ...this.query, [filter]: undefined }, this.values, this.tenant));
    const conditions = [this.place, 'f.id = c.id', ...others];
    if (status !== undefined) conditions.push(`f.status = '${status}'`);
    return `select f.id, f.sort_key from (select distinct id from by_${filter}) c cross join lateral (
      select f.id, ${SORTS[sortBy].expression} as sort_key from files f where ${conditions.join(' and ')} limit 1) f`;
  }

  /** Every file at this place in order, those of deleted spaces too: to know them takes more than the index holds. */
  private inOrder(): string {
    const { sortBy, sortOrder } = this.query;
    const { expression } = SORTS[sortBy];
    const ranges = statusesOf(this.query).map(
      (
        status,
      ) => `(select f.id, ${expression} as sort_key from file_rows f where ${this.place} and f.status = '${status}'
        order by ${expression} ${sortOrder}, f.id ${sortOrder})`,
    );
    return `select * from (${ranges.join(' union all ')}) r order by sort_key ${sortOrder}, id ${sortOrder} offset 0`;
  }
}

/**
 * The page of a query with metadata or search, whatever the share that matches. Not prepared: how many match what is asked for
 * decides which index to begin with.
 */
export function collectStatement(query: ListQuery): Sql {
  const collection = new Collection(query);
  return { statement: { name: '', text: collection.text() }, values: collection.values.list };
}
