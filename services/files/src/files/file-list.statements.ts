// The SQL of a list of files that is read in order. Every value that changes a plan is part of the text (sort, order, status) or
// is compared with a leading column of an index. So the generic plan of a prepared statement fits every tenant.
import { fileStatuses } from '@kiln/contracts';
import { statement, type Statement } from '@kiln/platform';
import type { NameTerms } from './name-terms.domain.js';

/** Files match by their name or by their id. */
export interface SearchedFiles extends NameTerms {
  /** The files whose content matches. */
  fileIds: readonly string[];
}

/** A filter that no sorted index supports. */
export const contentFilters = ['metadata', 'search'] as const;
export type ContentFilter = (typeof contentFilters)[number];

export interface ListQuery {
  tenantId: string;
  space?: string | undefined;
  status?: (typeof fileStatuses)[number] | undefined;
  metadata?: Record<string, string> | undefined;
  search?: SearchedFiles | undefined;
  /** The files have one of these external ids. */
  externalIds?: readonly string[] | undefined;
  sortBy: 'created_at' | 'updated_at' | 'filename' | 'size_bytes';
  sortOrder: 'asc' | 'desc';
  /** Sort value and id of the last file of the page before. */
  after?: readonly [string | number, string] | undefined;
  /** The filters that have many matches, as an earlier page has found. */
  many?: readonly ContentFilter[] | undefined;
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

/** The columns of a file `f` in a list, without the name of its space. None of them grows with what the caller stores. */
export const LISTED = `f.id, f.filename, f.content_type, f.size_bytes, f.status, f.job_id, f.external_id, f.created_at, f.updated_at`;

/**
 * The space of the file is not deleted. This is a look-up in a hash table that is usually empty. In this form the planner does
 * not make it a join, which would lose the order of the index, and it assumes that few rows are excluded (0.5 %).
 */
const isVisible = (tenant: string, file: string) =>
  `nullif(${file}.space_id in (select d.space_id from deleted_spaces d where d.tenant_id = ${tenant}), true) is not null`;

/**
 * The condition that the file is visible. It is empty when the space has been looked up by name, since a deleted space has no
 * name.
 */
export const visibleConditions = ({ space }: ListQuery, tenant: string, file = 'f') =>
  space === undefined ? [isVisible(tenant, file)] : [];

/** Collects values, and returns their parameter placeholders. */
export class Values {
  readonly list: unknown[] = [];

  add(value: unknown, type: string): string {
    this.list.push(value);
    return `$${this.list.length}::${type}`;
  }
}

/** The name of the space of each file `f`. It is looked up unless the query contains it, and null when the space is deleted. */
export function spaceNames({ space }: ListQuery, values: Values, tenant: string): string {
  if (space !== undefined) return `cross join (select ${values.add(space, 'text')} as space) s`;
  return `left join lateral (
    select s.name as space from spaces s where s.tenant_id = ${tenant} and s.id = f.space_id limit 1) s on true`;
}

/** Conditions on the leading columns of the indexes, without the status. */
export function rangeConditions(query: ListQuery, values: Values, tenant: string): string[] {
  const conditions = [`f.tenant_id = ${tenant}`];
  if (query.space !== undefined) {
    const name = values.add(query.space, 'text');
    conditions.push(`f.space_id = (select s.id from spaces s where s.tenant_id = ${tenant} and s.name = ${name})`);
  }
  if (query.after) {
    const { expression, type } = SORTS[query.sortBy];
    const [value, id] = query.after;
    const comparison = query.sortOrder === 'asc' ? '>' : '<';
    conditions.push(`(${expression}, f.id) ${comparison} (${values.add(value, type)}, ${values.add(id, 'uuid')})`);
  }
  return conditions;
}

/** The condition on metadata. It is empty when the query has none. */
export const metadataConditions = ({ metadata }: ListQuery, values: Values): string[] =>
  metadata === undefined ? [] : [`f.metadata @> ${values.add(metadata, 'jsonb')}`];

/** The ids as rows: the driver takes several times as long to write an array. */
const idRows = (fileIds: readonly string[], values: Values) =>
  `select unnest(${values.add(`{${fileIds.join()}}`, 'uuid[]')}) as id`;

/**
 * Whether a file `f` matches. It uses `in` with a query, since Postgres would compare an array one by one; `offset 0` prevents a
 * join.
 */
export const isSearched = ({ name, fileIds }: SearchedFiles, values: Values, tenant: string) =>
  `(f.id in (${idRows(fileIds, values)}) or exists (
      select from file_names t where t.tenant_id = ${tenant} and t.file_id = f.id
        and position(${values.add(name, 'text')} in t.name) > 0 offset 0))`;

/** The ids of the files that match, from the index of names. An id may appear twice. */
export const searchedIds = ({ name, grams, fileIds }: SearchedFiles, values: Values, tenant: string) =>
  `${idRows(fileIds, values)} union all
   select t.file_id as id from file_names t
   where t.tenant_id = ${tenant} and name_grams(t.name) @> ${values.add(grams, 'text[]')}
     and position(${values.add(name, 'text')} in t.name) > 0`;

/** The filters that are not known to have many matches. */
export const uncounted = (query: ListQuery): ContentFilter[] =>
  contentFilters.filter((filter) => query[filter] !== undefined && !query.many?.includes(filter));

/** The statuses whose index ranges a list reads. */
export const statusesOf = ({ status }: ListQuery) => (status === undefined ? fileStatuses : [status]);

/**
 * The first files in order, from one index range for each status. The limit is part of the text of each range: without it the planner
 * assumes a tenth of the table, and sorts.
 */
export function orderedFiles(query: ListQuery, values: Values, tenant: string, limit: number): string {
  const conditions = rangeConditions(query, values, tenant).join(' and ');
  const { expression } = SORTS[query.sortBy];
  const order = query.sortOrder;
  const ranges = statusesOf(query).map(
    (status) =>
      `(select ${LISTED}, f.space_id, f.metadata, ${expression} as sort_key from files f where ${conditions} and f.status = '${status}'
        order by ${expression} ${order}, f.id ${order} limit ${limit})`,
  );
  return `select * from (${ranges.join(' union all ')}) r order by sort_key ${order}, id ${order} limit ${limit}`;
}

export function nameOf(query: ListQuery, kind?: 'skipping' | 'named'): string {
  const parts = ['list', SORTS[query.sortBy].short, query.sortOrder];
  if (query.space !== undefined) parts.push('space');
  if (query.status !== undefined) parts.push(query.status);
  if (query.metadata !== undefined) parts.push('meta');
  if (query.search !== undefined) parts.push('search');
  if (query.after) parts.push('after');
  if (kind) parts.push(kind);
  return parts.join('_');
}

/**
 * Reads the files in order, `walkMax` at most, without a search. If only space and status filter, the result is the page,
 * including files of deleted spaces, whose `space` is null. Otherwise it keeps the visible files that match, and the page may be
 * incomplete.
 */
export function walkStatement(query: ListQuery, walkMax: number): Sql {
  const values = new Values();
  const tenant = values.add(query.tenantId, 'uuid');
  const limit = values.add(query.limit, 'int');
  const filters = metadataConditions(query, values);
  const conditions = [...filters, ...visibleConditions(query, tenant)].join(' and ');
  const where = filters.length === 0 ? '' : `where ${conditions}`;
  const order = `order by f.sort_key ${query.sortOrder}, f.id ${query.sortOrder}`;
  const page = `select f.* from (${orderedFiles(query, values, tenant, walkMax)}) f ${where} ${order} limit ${limit}`;
  const text = `select ${LISTED}, s.space from (${page}) f ${spaceNames(query, values, tenant)} ${order}`;
  return { statement: statement(nameOf(query), text), values: values.list };
}
