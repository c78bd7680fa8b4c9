// An organization's own keys for providers. No answer contains a key in the clear.
import {
  badRequest,
  formatTimestamp,
  notFound,
  type CallContext,
  type JobsInput,
  type JobsOutput,
} from '@kiln/contracts';
import { OutboundPolicy, OutboundRefusedError } from '@kiln/outbound';
import { Injectable } from '@nestjs/common';
import { PolicyChanges } from '../policies/policy-changes.service.js';
import { SealedProviderKeys } from './sealed-provider-keys.service.js';
import { ProviderKeyStore, type ShownKey } from './provider-key.store.js';

const viewOf = ({ provider, preview, url, created_at, updated_at }: ShownKey) => ({
  provider,
  key_preview: preview,
  url,
  created_at: formatTimestamp(created_at),
  updated_at: formatTimestamp(updated_at),
});

@Injectable()
export class ManageProviderKeys {
  constructor(
    private readonly keys: ProviderKeyStore,
    private readonly sealedKeys: SealedProviderKeys,
    private readonly changes: PolicyChanges,
    private readonly outbound: OutboundPolicy,
  ) {}

  async list({ tenantId }: CallContext): Promise<JobsOutput<'listProviderKeys'>> {
    return { provider_keys: (await this.keys.list(tenantId)).map(viewOf) };
  }

  async getSealed(
    { provider }: JobsInput<'getSealedProviderKey'>,
    { tenantId }: CallContext,
  ): Promise<JobsOutput<'getSealedProviderKey'>> {
    const found = await this.sealedKeys.find(tenantId, provider);
    return { sealed: found?.sealed.toString('base64') ?? null };
  }

  async save(
    { provider, key, url }: JobsInput<'setProviderKey'>,
    { tenantId }: CallContext,
  ): Promise<JobsOutput<'setProviderKey'>> {
    const own = { key, url: url ? await this.acceptedUrl(url) : null };
    const saved = await this.sealedKeys.save(tenantId, provider, own);
    this.changes.announce();
    return viewOf(saved);
  }

  async remove(
    { provider }: JobsInput<'deleteProviderKey'>,
    { tenantId }: CallContext,
  ): Promise<JobsOutput<'deleteProviderKey'>> {
    if (!(await this.keys.remove(tenantId, provider))) throw notFound('This provider has no key of yours.');
    this.changes.announce();
    return { deleted: true };
  }

  /** As it will be called. Throws BAD_REQUEST. */
  private async acceptedUrl(text: string): Promise<string> {
    const url = new URL(text);
    url.hash = '';
    try {
      await this.outbound.assertUrl(url);
    } catch (error) {
      if (error instanceof OutboundRefusedError) throw badRequest(`url ${error.message}`);
      throw error;
    }
    return url.href;
  }
}
