// The SQL of a list of the files that have one of some external ids. The unique index finds them, at most one for each id.
import { statement } from '@kiln/platform';
import {
  LISTED,
  metadataConditions,
  nameOf,
  rangeConditions,
  SORTS,
  spaceNames,
  Values,
  visibleConditions,
  type ListQuery,
  type Sql,
} from './file-list.statements.js';

export function namedStatement(query: ListQuery, externalIds: readonly string[]): Sql {
  const { sortBy, sortOrder, status } = query;
  const values = new Values();
  const tenant = values.add(query.tenantId, 'uuid');
  const named = `f.tenant_id = ${tenant} and f.external_id = any(${values.add(externalIds, 'text[]')})`;
  const conditions = [
    ...rangeConditions(query, values, tenant),
    ...metadataConditions(query, values),
    ...(status === undefined ? [] : [`f.status = '${status}'`]),
    ...visibleConditions(query, tenant),
  ];
  const { expression } = SORTS[sortBy];
  const order = `order by ${expression} ${sortOrder}, f.id ${sortOrder}`;
  const text = `with named as materialized (select f.* from files f where ${named})
    select ${LISTED}, s.space from named f ${spaceNames(query, values, tenant)}
    where ${conditions.join(' and ')} ${order} limit ${values.add(query.limit, 'int')}`;
  return { statement: statement(nameOf(query, 'named'), text), values: values.list };
}
