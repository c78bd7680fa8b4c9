// The list of files: keyset paging over four sort keys both ways. Each combination of filters is a statement of its own, so
// that the planner sees only the conditions that are there and each sort is read from its index.
import { statement, type Queryable, type Statement } from '@kiln/platform';
import { FILE_COLUMNS, type FileRow } from './file.rows.js';

export interface ListQuery {
  tenantId: string;
  space?: string | undefined;
  status?: string | undefined;
  metadata?: Record<string, string> | undefined;
  sortBy: 'created_at' | 'updated_at' | 'filename' | 'size_bytes';
  sortOrder: 'asc' | 'desc';
  /** Keyset of the last row of the page before: sort value and file id. */
  after?: readonly [string | number, string] | undefined;
  limit: number;
}

/** Sort expression and the type of its cursor value. */
const SORTS = {
  created_at: { expression: 'created_at', type: 'timestamptz(3)' },
  updated_at: { expression: 'updated_at', type: 'timestamptz(3)' },
  filename: { expression: 'filename', type: 'text' },
  size_bytes: { expression: 'coalesce(size_bytes, -1)', type: 'bigint' },
} as const;

/** The value that `after` holds for a row under this sort. */
export function sortValue(row: FileRow, sortBy: ListQuery['sortBy']): string | number {
  switch (sortBy) {
    case 'created_at':
      return row.created_at.toISOString();
    case 'updated_at':
      return row.updated_at.toISOString();
    case 'filename':
      return row.filename;
    case 'size_bytes':
      return row.size_bytes ?? -1;
  }
}

function build(query: ListQuery): { statement: Statement; values: unknown[] } {
  const sort = SORTS[query.sortBy];
  const values: unknown[] = [query.tenantId];
  const conditions = ['tenant_id = $1'];
  const parts: string[] = [query.sortBy, query.sortOrder];
  const add = (part: string, value: unknown, condition: (parameter: string) => string) => {
    values.push(value);
    parts.push(part);
    conditions.push(condition(`$${values.length}`));
  };
  if (query.space !== undefined) add('space', query.space, (value) => `space = ${value}`);
  if (query.status !== undefined) add('status', query.status, (value) => `status = ${value}`);
  if (query.metadata !== undefined) add('metadata', query.metadata, (value) => `metadata @> ${value}::jsonb`);
  if (query.after) {
    const [value, id] = query.after;
    values.push(value, id);
    parts.push('after');
    const comparison = query.sortOrder === 'asc' ? '>' : '<';
    const keyset = `($${values.length - 1}::${sort.type}, $${values.length}::uuid)`;
    conditions.push(`(${sort.expression}, id) ${comparison} ${keyset}`);
  }
  values.push(query.limit);
  const text = `select ${FILE_COLUMNS} from files where ${conditions.join(' and ')}
    order by ${sort.expression} ${query.sortOrder}, id ${query.sortOrder} limit $${values.length}`;
  return { statement: statement(`files.list_${parts.join('_')}`, text), values };
}

export class FileListStore {
  constructor(private readonly database: Queryable) {}

  list(query: ListQuery): Promise<FileRow[]> {
    const { statement, values } = build(query);
    return this.database.query<FileRow>(statement, values);
  }
}
