// The SQL of the list of files. Every value that changes a plan stands in the text (sort, order, status) or is matched by a
// leading column of an index, so that the plan a prepared statement settles on is right for every tenant.
import { fileStatuses } from '@kiln/contracts';
import { statement, type Statement } from '@kiln/platform';
import type { SearchTerms } from '../domain/search-terms.js';
import { FILE_COLUMNS } from './file.rows.js';

export interface ListQuery {
  tenantId: string;
  space?: string | undefined;
  status?: (typeof fileStatuses)[number] | undefined;
  metadata?: Record<string, string> | undefined;
  search?: SearchTerms | undefined;
  sortBy: 'created_at' | 'updated_at' | 'filename' | 'size_bytes';
  sortOrder: 'asc' | 'desc';
  /** Keyset of the last row of the page before: sort value and file id. */
  after?: readonly [string | number, string] | undefined;
  limit: number;
}

export interface Sql {
  statement: Statement;
  values: unknown[];
}

/** Sort expression, the type of its cursor value, and a short name. */
const SORTS = {
  created_at: { expression: 'f.created_at', type: 'timestamptz(3)', short: 'created' },
  updated_at: { expression: 'f.updated_at', type: 'timestamptz(3)', short: 'updated' },
  filename: { expression: 'f.filename', type: 'text', short: 'filename' },
  size_bytes: { expression: 'coalesce(f.size_bytes, -1)', type: 'bigint', short: 'size' },
} as const;

const qualified = (alias: string) =>
  FILE_COLUMNS.split(',')
    .map((column) => `${alias}.${column.trim()}`)
    .join(', ');

/** Collects values, and names the parameters that stand for them. */
class Values {
  readonly list: unknown[] = [];

  add(value: unknown, type: string): string {
    this.list.push(value);
    return `$${this.list.length}::${type}`;
  }
}

/** Conditions on the leading columns of the indexes, without the status. */
function rangeConditions(query: ListQuery, values: Values, tenant: string): string[] {
  const conditions = [`f.tenant_id = ${tenant}`];
  if (query.space !== undefined) conditions.push(`f.space = ${values.add(query.space, 'text')}`);
  if (query.after) {
    const { expression, type } = SORTS[query.sortBy];
    const [value, id] = query.after;
    const comparison = query.sortOrder === 'asc' ? '>' : '<';
    conditions.push(`(${expression}, f.id) ${comparison} (${values.add(value, type)}, ${values.add(id, 'uuid')})`);
  }
  return conditions;
}

function termsCondition({ name, grams, words }: SearchTerms, values: Values, isIndexed: boolean): string {
  const inName = `position(${values.add(name, 'text')} in t.name) > 0`;
  const byIndex = isIndexed ? `name_grams(t.name) @> ${values.add(grams, 'text[]')} and ${inName}` : inName;
  return words.length === 0 ? `(${byIndex})` : `((${byIndex}) or t.words @> ${values.add(words, 'text[]')})`;
}

/**
 * The first files in order, from one range of an index for each status that may be there. The limit stands in the text and in each
 * part: a planner that does not know it takes it for a tenth of the table, and sorts.
 */
function orderedFiles(query: ListQuery, values: Values, tenant: string, limit: number): string {
  const conditions = rangeConditions(query, values, tenant).join(' and ');
  const statuses = query.status === undefined ? fileStatuses : [query.status];
  const { expression } = SORTS[query.sortBy];
  const order = query.sortOrder;
  const ranges = statuses.map(
    (status) =>
      `(select ${qualified('f')}, ${expression} as sort_key from files f where ${conditions} and f.status = '${status}'
        order by ${expression} ${order}, f.id ${order} limit ${limit})`,
  );
  return `select * from (${ranges.join(' union all ')}) r order by sort_key ${order}, id ${order} limit ${limit}`;
}

function nameOf(query: ListQuery, isDeep: boolean): string {
  const parts = ['list', SORTS[query.sortBy].short, query.sortOrder];
  if (query.space !== undefined) parts.push('space');
  if (query.status !== undefined) parts.push(query.status);
  if (query.metadata !== undefined) parts.push('meta');
  if (query.search !== undefined) parts.push(query.search.words.length > 0 ? 'words' : 'name');
  if (query.after) parts.push('after');
  if (isDeep) parts.push('deep');
  return parts.join('_');
}

/**
 * Walks the files in order and keeps those that match, `walkMax` files at most: the page itself when nothing but space and
 * status filters, else a page that may lack some.
 */
export function walkStatement(query: ListQuery, walkMax: number, isDeep = false): Sql {
  const values = new Values();
  const tenant = values.add(query.tenantId, 'uuid');
  const limit = values.add(query.limit, 'int');
  const filters: string[] = [];
  if (query.metadata !== undefined) filters.push(`w.metadata @> ${values.add(query.metadata, 'jsonb')}`);
  if (query.search !== undefined) {
    filters.push(`exists (select from file_terms t where t.tenant_id = ${tenant} and t.file_id = w.id
      and ${termsCondition(query.search, values, false)})`);
  }
  const where = filters.length === 0 ? '' : `where ${filters.join(' and ')}`;
  const text = `select ${qualified('w')} from (${orderedFiles(query, values, tenant, walkMax)}) w ${where}
    order by w.sort_key ${query.sortOrder}, w.id ${query.sortOrder} limit ${limit}`;
  return { statement: statement(nameOf(query, isDeep), text), values: values.list };
}

/** All conditions but the search. */
function matchConditions(query: ListQuery, values: Values, tenant: string): string[] {
  const conditions = rangeConditions(query, values, tenant);
  if (query.status !== undefined) conditions.push(`f.status = '${query.status}'`);
  if (query.metadata !== undefined) conditions.push(`f.metadata @> ${values.add(query.metadata, 'jsonb')}`);
  return conditions;
}

function foundByTerms(search: SearchTerms, values: Values, tenant: string): string {
  return `select t.file_id from file_terms t where t.tenant_id = ${tenant} and ${termsCondition(search, values, true)}`;
}

/**
 * Counts the files that the search finds, or else that match, to `countMax` and no further: the CTE is planned for all of them
 * and read only as far as asked. Answers one row with `matches`.
 */
export function countStatement(query: ListQuery, countMax: number): Sql {
  const values = new Values();
  const tenant = values.add(query.tenantId, 'uuid');
  const matching = query.search
    ? foundByTerms(query.search, values, tenant)
    : `select f.id from files f where ${matchConditions(query, values, tenant).join(' and ')}`;
  const text = `with matching as materialized (${matching})
    select count(*) as matches from (select from matching limit ${countMax}) counted`;
  return { statement: { name: '', text }, values: values.list };
}

/**
 * Collects every file that matches by the indexes of terms and metadata, then sorts. Not prepared: how many match what is
 * asked for decides which index to begin with.
 */
export function collectStatement(query: ListQuery): Sql {
  const values = new Values();
  const tenant = values.add(query.tenantId, 'uuid');
  const limit = values.add(query.limit, 'int');
  const conditions = matchConditions(query, values, tenant);
  const found = query.search && `found as materialized (${foundByTerms(query.search, values, tenant)}),`;
  const { expression } = SORTS[query.sortBy];
  const order = (alias: string) => `${alias}.sort_key ${query.sortOrder}, ${alias}.id ${query.sortOrder}`;
  const text = `with ${found ?? ''}
    matching as materialized (
      select f.id, ${expression} as sort_key from ${found ? 'found t join files f on f.id = t.file_id' : 'files f'}
      where ${conditions.join(' and ')}),
    page as (select m.id, m.sort_key from matching m order by ${order('m')} limit ${limit})
    select ${qualified('f')} from page p join files f on f.tenant_id = ${tenant} and f.id = p.id order by ${order('p')}`;
  return { statement: { name: '', text }, values: values.list };
}
