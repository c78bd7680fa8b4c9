// The identity of the key: its scopes, its mode, its organization.
import type { Schemas } from '@kiln/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useConnection } from './kiln-context.js';

export type Scope = Schemas['Me']['scopes'][number];
export type Mode = 'live' | 'test';

export const mayDo = (scopes: readonly string[], scope: string): boolean =>
  scopes.includes('*') || scopes.includes(scope);

export function useMe() {
  const { kiln } = useConnection();
  return useQuery(
    queryOptions({ queryKey: ['me'], queryFn: ({ signal }) => kiln.organization.getMe({ signal }), staleTime: 60_000 }),
  );
}

/** The prefix of a key for test data is `kiln_test_`. */
export const useMode = (): Mode => (useConnection().session.apiKey.startsWith('kiln_test_') ? 'test' : 'live');

/** Whether the key has the scope. False until this is known. */
export function useMay(scope: Scope): boolean {
  const { data } = useMe();
  return data !== undefined && mayDo(data.scopes, scope);
}
