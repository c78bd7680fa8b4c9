// The identity of the key: its scopes, its mode, its organization.
import type { Schemas } from '@kiln/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useConnection } from './kiln-context.js';
import { mayDo } from './scopes.js';

export type Scope = Schemas['Me']['scopes'][number];
export type Mode = 'live' | 'test';

/** The prefix of a key says it: `kiln_test_`. */
export const modeOf = (apiKey: string): Mode => (apiKey.startsWith('kiln_test_') ? 'test' : 'live');

export function useMe() {
  const { kiln } = useConnection();
  return useQuery(
    queryOptions({ queryKey: ['me'], queryFn: ({ signal }) => kiln.organization.getMe({ signal }), staleTime: 60_000 }),
  );
}

export const useMode = (): Mode => modeOf(useConnection().session.apiKey);

/** Whether the key has the scope. False until this is known. */
export function useMay(scope: Scope): boolean {
  const { data } = useMe();
  return data !== undefined && mayDo(data.scopes, scope);
}
