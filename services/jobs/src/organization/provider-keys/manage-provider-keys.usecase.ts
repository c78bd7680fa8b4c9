// An organization's own keys for providers. No answer contains a key in the clear.
import {
  formatTimestamp,
  notFound,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { PolicyChanges } from '../policies/policy-changes.js';
import { SealedProviderKeys } from './sealed-provider-keys.js';
import { ProviderKeyStore, type ShownKey } from './provider-key.store.js';

type Ops = typeof jobsOperations;

const viewOf = ({ provider, preview, created_at, updated_at }: ShownKey) => ({
  provider,
  key_preview: preview,
  created_at: formatTimestamp(created_at),
  updated_at: formatTimestamp(updated_at),
});

@Injectable()
export class ManageProviderKeys {
  constructor(
    private readonly keys: ProviderKeyStore,
    private readonly sealedKeys: SealedProviderKeys,
    private readonly changes: PolicyChanges,
  ) {}

  async list({ tenantId }: CallContext): Promise<OperationOutput<Ops['listProviderKeys']>> {
    return { provider_keys: (await this.keys.list(tenantId)).map(viewOf) };
  }

  async getSealed(
    { provider }: OperationInput<Ops['getSealedProviderKey']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['getSealedProviderKey']>> {
    const sealed = await this.sealedKeys.find(tenantId, provider);
    return { sealed: sealed?.toString('base64') ?? null };
  }

  async save(
    { provider, key }: OperationInput<Ops['setProviderKey']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['setProviderKey']>> {
    const saved = await this.sealedKeys.save(tenantId, provider, key);
    this.changes.announce();
    return viewOf(saved);
  }

  async remove(
    { provider }: OperationInput<Ops['deleteProviderKey']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['deleteProviderKey']>> {
    if (!(await this.keys.remove(tenantId, provider))) throw notFound('This provider has no key of yours.');
    this.changes.announce();
    return { deleted: true };
  }
}
