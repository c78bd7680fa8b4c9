import type { Kiln } from '@kiln/sdk';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { queryOf, type LogsAddress } from './lib/logs-address.js';

const PAGE_ROWS = 100;

export const logsKeys = { list: (address: LogsAddress) => ['logs', address] } as const;

/** Pages by cursor. It is not polled: the requests of the page itself are logged, too. */
export const logsQuery = (kiln: Kiln, address: LogsAddress) =>
  infiniteQueryOptions({
    queryKey: logsKeys.list(address),
    queryFn: async ({ signal, pageParam }) =>
      await kiln.requestLog.list(
        { ...queryOf(address), limit: PAGE_ROWS, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
