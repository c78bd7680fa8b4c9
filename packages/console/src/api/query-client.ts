// The one cache of server data, and its one retry policy: the SDK repeats requests, the cache does not.
import { UnauthorizedError } from '@kiln/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endSession } from './session.js';

const FRESH_MS = 5_000;

function onError(error: unknown): void {
  if (error instanceof UnauthorizedError) endSession('refused');
}

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // A browser without internet reaches a server on its own machine.
      queries: { retry: false, staleTime: FRESH_MS, networkMode: 'always', refetchOnWindowFocus: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
