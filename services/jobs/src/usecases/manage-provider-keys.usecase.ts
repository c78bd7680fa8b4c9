// An organization's own keys for providers. What is answered about a key never holds it.
import {
  formatTimestamp,
  notFound,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import { ProviderKeys } from '../adapters/provider-keys.js';
import { ProviderKeyStore, type ShownKey } from '../store/provider-key.store.js';

type Ops = typeof jobsOperations;

const viewOf = ({ provider, preview, created_at, updated_at }: ShownKey) => ({
  provider,
  key_preview: preview,
  created_at: formatTimestamp(created_at),
  updated_at: formatTimestamp(updated_at),
});

export class ManageProviderKeys {
  constructor(
    private readonly keys: ProviderKeyStore,
    private readonly sealedKeys: ProviderKeys,
  ) {}

  async list({ tenantId }: CallContext): Promise<OperationOutput<Ops['listProviderKeys']>> {
    return { provider_keys: (await this.keys.list(tenantId)).map(viewOf) };
  }

  async save(
    { provider, key }: OperationInput<Ops['setProviderKey']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['setProviderKey']>> {
    return viewOf(await this.sealedKeys.save(tenantId, provider, key));
  }

  async remove(
    { provider }: OperationInput<Ops['deleteProviderKey']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['deleteProviderKey']>> {
    if (!(await this.keys.remove(tenantId, provider))) throw notFound('This provider has no key of yours.');
    return { deleted: true };
  }
}
