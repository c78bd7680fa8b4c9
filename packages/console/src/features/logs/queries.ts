import type { Kiln } from '@kiln/sdk';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { cursorPages } from '../../api/cursor-pages.js';
import { queryOf, type LogsAddress } from './lib/logs-address.js';

const PAGE_ROWS = 100;

/** Pages by cursor. It is not polled: the requests of the page itself are logged, too. */
export const logsQuery = (kiln: Kiln, address: LogsAddress) =>
  infiniteQueryOptions({
    queryKey: ['logs', address],
    ...cursorPages((cursor, options) =>
      kiln.requestLog.list({ ...queryOf(address), limit: PAGE_ROWS, ...cursor }, options),
    ),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
