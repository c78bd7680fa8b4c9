// The one cache of server data, and its one retry policy: the SDK repeats requests, the cache does not.
import { UnauthorizedError } from '@kiln/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endSession, type Session } from './session.js';

const FRESH_MS = 5_000;

/** `session` is null before the sign-in. */
export function createQueryClient(session: Session | null): QueryClient {
  const onError = (error: unknown) => {
    if (session && error instanceof UnauthorizedError) endSession('refused', session);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // A browser without internet reaches a server on its own machine.
      queries: { retry: false, staleTime: FRESH_MS, networkMode: 'always', refetchOnWindowFocus: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
