// The SQL of a page that skips files of deleted spaces which the worker has not deleted yet.
import { statement } from '@kiln/platform';
import {
  LISTED,
  nameOf,
  orderedFiles,
  spaceNames,
  Values,
  visibleConditions,
  type ListQuery,
  type Sql,
} from './file-list.statements.js';

/**
 * Walks the files in order, `walkMax` at most, and keeps the visible ones. The last file that it may read is always kept, with a null
 * `space` if it is not visible: the next page begins there.
 */
export function skippingStatement(query: ListQuery, walkMax: number): Sql {
  const values = new Values();
  const tenant = values.add(query.tenantId, 'uuid');
  const limit = values.add(query.limit, 'int');
  const order = `order by f.sort_key ${query.sortOrder}, f.id ${query.sortOrder}`;
  const isVisible = visibleConditions(query, tenant).join(' and ') || 'true';
  const text = `select ${LISTED}, s.space from (
      select f.* from (
        select f.*, row_number() over (${order}) as place from (${orderedFiles(query, values, tenant, walkMax)}) f
      ) f
      where f.place = ${walkMax} or ${isVisible} ${order} limit ${limit}
    ) f ${spaceNames(query, values, tenant)} ${order}`;
  return { statement: statement(nameOf(query, 'skipping'), text), values: values.list };
}
