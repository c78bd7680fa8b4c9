import type { Kiln } from '@kiln/sdk';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { cursorPages } from '../../api/cursor-pages.js';
import type { StreamState } from '../../api/live-events.js';
import { POLL_MS, recheckMs } from '../../api/recheck.js';
import { queryOf, type FilesSearch } from './lib/files-search.js';

/** The most that the API returns at once. */
export const PAGE_ROWS = 200;

export const filesKeys = {
  all: ['files'],
  list: (search: FilesSearch) => ['files', 'list', search],
} as const;

/** Pages by cursor. While a filter changes, the rows of the last one stay. A list of one page is read again while a file is under way. */
export const filesQuery = (kiln: Kiln, search: FilesSearch, stream: StreamState) =>
  infiniteQueryOptions({
    queryKey: filesKeys.list(search),
    ...cursorPages((cursor, options) => kiln.files.list({ ...queryOf(search), limit: PAGE_ROWS, ...cursor }, options)),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const [first, second] = data?.pages ?? [];
      if (!first || second) return false;
      return stream === 'refused' ? POLL_MS : recheckMs(first.files, stream);
    },
  });
