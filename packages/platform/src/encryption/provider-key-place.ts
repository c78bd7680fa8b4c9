import type { KeyedProvider } from '@kiln/contracts';
import type { EncryptionContext } from './sealer.js';

/** Where an organization's own key for a provider is sealed. `liveTenantId`: the organization's tenant of live mode. */
export const providerKeyContext = (liveTenantId: string, provider: KeyedProvider): EncryptionContext => ({
  tenantId: liveTenantId,
  rowId: provider,
  name: 'sealed',
});
