import type { Kiln } from '@kiln/sdk';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { cursorPages } from '../../api/cursor-pages.js';
import { queryOf, type FilesSearch } from './lib/files-search.js';

/** The most that the API returns at once. */
export const PAGE_ROWS = 200;

export const filesKeys = {
  all: ['files'],
  list: (search: FilesSearch) => ['files', 'list', search],
} as const;

/** Pages by cursor. While a filter changes, the rows of the last one stay. */
export const filesQuery = (kiln: Kiln, search: FilesSearch) =>
  infiniteQueryOptions({
    queryKey: filesKeys.list(search),
    ...cursorPages((cursor, options) => kiln.files.list({ ...queryOf(search), limit: PAGE_ROWS, ...cursor }, options)),
    placeholderData: keepPreviousData,
  });
