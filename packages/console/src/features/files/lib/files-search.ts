// The filters and the order of the list, as the address has them.
import type { Query } from '@kiln/sdk';

export const statuses = ['uploading', 'uploaded', 'processing', 'completed', 'failed'] as const;
export const sortFields = ['filename', 'size_bytes', 'created_at', 'updated_at'] as const;

export type FileStatus = (typeof statuses)[number];
export type SortField = (typeof sortFields)[number];

export interface FilesSearch {
  /** A part of the name. */
  q?: string;
  status?: FileStatus;
  space?: string;
  sort?: SortField;
  order?: 'asc' | 'desc';
}

const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '' ? String(value) : undefined;

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((one) => one === value);

/** Ignores what it does not know: addresses are typed and shared. */
export function readFilesSearch(search: Record<string, unknown>): FilesSearch {
  const q = textOf(search['q']);
  const space = textOf(search['space']);
  const status = oneOf(statuses, search['status']);
  const sort = oneOf(sortFields, search['sort']);
  const order = oneOf(['asc', 'desc'], search['order']);
  return {
    ...(q !== undefined && { q }),
    ...(status && { status }),
    ...(space !== undefined && { space }),
    ...(sort && { sort }),
    ...(order && { order }),
  };
}

export const isFiltered = ({ q, status, space }: FilesSearch): boolean =>
  q !== undefined || status !== undefined || space !== undefined;

export const queryOf = ({
  q,
  status,
  space,
  sort = 'created_at',
  order = 'desc',
}: FilesSearch): Query<'listFiles'> => ({
  ...(q !== undefined && { search: q }),
  ...(status && { status }),
  ...(space !== undefined && { space }),
  sort_by: sort,
  sort_order: order,
});

/** A click on a column sorts by it, and a second one the other way round. */
export function sortedBy(search: FilesSearch, field: SortField): Pick<FilesSearch, 'sort' | 'order'> {
  const { sort = 'created_at', order = 'desc' } = search;
  if (sort === field) return { sort: field, order: order === 'asc' ? 'desc' : 'asc' };
  return { sort: field, order: field === 'filename' ? 'asc' : 'desc' };
}
