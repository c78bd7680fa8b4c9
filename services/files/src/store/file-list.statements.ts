// The SQL of a list of files that is read in order. Every value that changes a plan stands in the text (sort, order, status)
// or is matched by a leading column of an index, so that the plan a prepared statement settles on is right for every tenant.
import { fileStatuses } from '@kiln/contracts';
import { statement, type Statement } from '@kiln/platform';
import type { SearchTerms } from '../domain/search-terms.js';
import { LISTED_COLUMNS } from './file.rows.js';

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
export const SORTS = {
  created_at: { expression: 'f.created_at', type: 'timestamptz(3)', short: 'created' },
  updated_at: { expression: 'f.updated_at', type: 'timestamptz(3)', short: 'updated' },
  filename: { expression: 'f.filename', type: 'text', short: 'filename' },
  size_bytes: { expression: 'coalesce(f.size_bytes, -1)', type: 'bigint', short: 'size' },
} as const;

export const LISTED = LISTED_COLUMNS.split(',')
  .map((column) => `f.${column.trim()}`)
  .join(', ');

/** Collects values, and names the parameters that stand for them. */
export class Values {
  readonly list: unknown[] = [];

  add(value: unknown, type: string): string {
    this.list.push(value);
    return `$${this.list.length}::${type}`;
  }
}

/** Conditions on the leading columns of the indexes, without the status. */
export function rangeConditions(query: ListQuery, values: Values, tenant: string): string[] {
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

/** What a row of `file_terms t` says of the file; by itself no index serves it. */
function termsCondition({ name, words }: SearchTerms, values: Values): string {
  const inName = `position(${values.add(name, 'text')} in t.name) > 0`;
  return words.length === 0 ? inName : `(${inName} or t.words @> ${values.add(words, 'text[]')})`;
}

/** What file `f` has to hold beside its place, for each filter that has an index of its own; `offset 0` keeps it from a join. */
export function contentConditions(query: ListQuery, values: Values, tenant: string) {
  const { metadata, search } = query;
  return {
    ...(metadata && { metadata: `f.metadata @> ${values.add(metadata, 'jsonb')}` }),
    ...(search && {
      search: `exists (select from file_terms t where t.tenant_id = ${tenant} and t.file_id = f.id
        and ${termsCondition(search, values)} offset 0)`,
    }),
  };
}

/** Of the ranges of an index that a list reads. */
export const statusesOf = ({ status }: ListQuery) => (status === undefined ? fileStatuses : [status]);

/**
 * The first files in order, from one range of an index for each status that may be there. The limit stands in the text and in each
 * part: a planner that does not know it takes it for a tenth of the table, and sorts.
 */
function orderedFiles(query: ListQuery, values: Values, tenant: string, limit: number): string {
  const conditions = rangeConditions(query, values, tenant).join(' and ');
  const { expression } = SORTS[query.sortBy];
  const order = query.sortOrder;
  const ranges = statusesOf(query).map(
    (status) =>
      `(select ${LISTED}, f.metadata, ${expression} as sort_key from files f where ${conditions} and f.status = '${status}'
        order by ${expression} ${order}, f.id ${order} limit ${limit})`,
  );
  return `select * from (${ranges.join(' union all ')}) r order by sort_key ${order}, id ${order} limit ${limit}`;
}

function nameOf(query: ListQuery, isLong: boolean): string {
  const parts = ['list', SORTS[query.sortBy].short, query.sortOrder];
  if (query.space !== undefined) parts.push('space');
  if (query.status !== undefined) parts.push(query.status);
  if (query.metadata !== undefined) parts.push('meta');
  if (query.search !== undefined) parts.push(query.search.words.length > 0 ? 'words' : 'name');
  if (query.after) parts.push('after');
  if (isLong) parts.push('long');
  return parts.join('_');
}

/**
 * Walks the files in order and keeps those that match, `walkMax` files at most: the page itself when nothing but space and
 * status filters, else a page that may lack some.
 */
export function walkStatement(query: ListQuery, walkMax: number, isLong = false): Sql {
  const values = new Values();
  const tenant = values.add(query.tenantId, 'uuid');
  const limit = values.add(query.limit, 'int');
  const filters = Object.values(contentConditions(query, values, tenant));
  const where = filters.length === 0 ? '' : `where ${filters.join(' and ')}`;
  const text = `select ${LISTED} from (${orderedFiles(query, values, tenant, walkMax)}) f ${where}
    order by f.sort_key ${query.sortOrder}, f.id ${query.sortOrder} limit ${limit}`;
  return { statement: statement(nameOf(query, isLong), text), values: values.list };
}
