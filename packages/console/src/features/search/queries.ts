import type { Kiln } from '@kiln/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { filtersOf, type SearchAddress, type SearchMode } from './lib/search-address.js';

const RESULTS = 20;

/** While a word is typed, the results of the last one stay. */
export const resultsQuery = (kiln: Kiln, address: SearchAddress, mode: SearchMode) =>
  queryOptions({
    queryKey: ['search', mode, address.q ?? '', filtersOf(address)],
    queryFn: ({ signal }) => {
      const request = { query: address.q ?? '', mode, group: 'chunk', limit: RESULTS, ...filtersOf(address) } as const;
      return kiln.search.query(request, { signal });
    },
    enabled: address.q !== undefined,
    placeholderData: keepPreviousData,
  });
