// The filters and the order of the list, as the address has them.
import type { Query } from '@kiln/sdk';
import { oneOf, textOf } from '../../../ui/address.js';
import { defined } from '../../../ui/defined.js';

export const statuses = ['uploading', 'uploaded', 'processing', 'completed', 'failed'] as const;
const sortFields = ['filename', 'size_bytes', 'created_at', 'updated_at'] as const;

type FileStatus = (typeof statuses)[number];
export type SortField = (typeof sortFields)[number];

export interface FilesSearch {
  /** A part of the name. */
  q?: string;
  status?: FileStatus;
  space?: string;
  sort?: SortField;
  order?: 'asc' | 'desc';
}

export const readFilesSearch = (search: Record<string, unknown>): FilesSearch =>
  defined({
    q: textOf(search['q']),
    status: oneOf(statuses, search['status']),
    space: textOf(search['space']),
    sort: oneOf(sortFields, search['sort']),
    order: oneOf(['asc', 'desc'], search['order']),
  });

export const isFiltered = ({ q, status, space }: FilesSearch): boolean =>
  q !== undefined || status !== undefined || space !== undefined;

/** Whether a list with these filters may show a new file, which is not processed yet. */
export const mayShow = ({ q = '', status, space }: FilesSearch, file: { filename: string; space: string }): boolean =>
  (space === undefined || space === file.space) &&
  status !== 'completed' &&
  status !== 'failed' &&
  file.filename.toLowerCase().includes(q.toLowerCase());

export const queryOf = ({
  q,
  status,
  space,
  sort = 'created_at',
  order = 'desc',
}: FilesSearch): Query<'listFiles'> => ({
  ...defined({ search: q, status, space }),
  sort_by: sort,
  sort_order: order,
});

/** A click on a column sorts by it, and a second one the other way round. */
export function sortedBy(search: FilesSearch, field: SortField): Pick<FilesSearch, 'sort' | 'order'> {
  const { sort = 'created_at', order = 'desc' } = search;
  if (sort === field) return { sort: field, order: order === 'asc' ? 'desc' : 'asc' };
  return { sort: field, order: field === 'filename' ? 'asc' : 'desc' };
}
