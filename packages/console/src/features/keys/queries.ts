import type { Kiln } from '@kiln/sdk';
import { infiniteQueryOptions } from '@tanstack/react-query';

const PAGE_ROWS = 100;

export const keysKeys = { list: ['api-keys'] } as const;

export const keysQuery = (kiln: Kiln) =>
  infiniteQueryOptions({
    queryKey: keysKeys.list,
    queryFn: async ({ signal, pageParam }) =>
      await kiln.apiKeys.list({ limit: PAGE_ROWS, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
