import type { KeyedProvider } from '@kiln/contracts';
import type { SealedPlace } from './sealer.js';

/** Where an organization's own key for a provider is sealed. `liveTenantId`: the organization's tenant of live mode. */
export const providerKeyPlace = (liveTenantId: string, provider: KeyedProvider): SealedPlace => ({
  tenantId: liveTenantId,
  rowId: provider,
  name: 'sealed',
});
