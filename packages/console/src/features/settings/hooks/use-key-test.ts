import type { Schemas } from '@kiln/sdk';
import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';

/** The last test of a provider key, for all that show it. A replaced key has not been tested. */
export function useKeyTest({ provider, updated_at: setAt }: Schemas['SetProviderKeyResponse']) {
  const kiln = useKiln();
  return useQuery({
    queryKey: ['provider-key-test', provider, setAt],
    queryFn: () => kiln.providerKeys.test(provider),
    enabled: false,
    gcTime: 0,
  });
}
