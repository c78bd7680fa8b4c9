import type { Kiln } from '@kiln/sdk';
import { queryOptions } from '@tanstack/react-query';

/** The spaces with the number of their files. They are read again with the list of files. */
export const spacesQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['files', 'spaces'],
    queryFn: async ({ signal }) => await kiln.spaces.list({ limit: 200 }, { signal }),
    staleTime: 30_000,
  });
