// The SQL of a page that is read in order and skips files: files that do not match a filter with many matches, and files of
// deleted spaces which the worker has not deleted yet.
import { statement } from '@kiln/platform';
import {
  isSearched,
  LISTED,
  metadataConditions,
  nameOf,
  orderedFiles,
  spaceNames,
  Values,
  visibleConditions,
  type ListQuery,
  type Sql,
} from './file-list.statements.js';

/**
 * Reads the files in order, `walkMax` at most, and keeps the files that match. It always keeps the last file that it may read:
 * `is_last`, and `is_match` if it matches. The next page begins there.
 */
export function skippingStatement(query: ListQuery, walkMax: number): Sql {
  const values = new Values();
  const tenant = values.add(query.tenantId, 'uuid');
  const limit = values.add(query.limit, 'int');
  const order = `order by f.sort_key ${query.sortOrder}, f.id ${query.sortOrder}`;
  const conditions = [
    ...metadataConditions(query, values),
    ...visibleConditions(query, tenant),
    ...(query.search ? [isSearched(query.search, values, tenant)] : []),
  ];
  const text = `select ${LISTED}, s.space, f.is_match, f.is_last from (
      select f.* from (
        select f.*, row_number() over (${order}) = ${walkMax} as is_last, ${conditions.join(' and ') || 'true'} as is_match
        from (${orderedFiles(query, values, tenant, walkMax)}) f
      ) f
      where f.is_last or f.is_match ${order} limit ${limit}
    ) f ${spaceNames(query, values, tenant)} ${order}`;
  return { statement: statement(nameOf(query, 'skipping'), text), values: values.list };
}
