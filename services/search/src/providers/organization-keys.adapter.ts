// Organizations' own keys for providers. The jobs service sends them sealed; only this process opens them.
import { jobsOperations, type CallContext, type KeyedProvider } from '@kiln/contracts';
import { providerKeyContext, RpcClient, Sealer } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import QuickLRU from 'quick-lru';

/** A changed key is used after this time at the latest, as for jobs: see OrganizationPolicies in services/jobs. */
const TIME_TO_LIVE_MS = 10_000;
const KEYS_MAX = 2_000;

@Injectable()
export class OrganizationKeys {
  private readonly keys = new QuickLRU<string, Promise<string | null>>({ maxSize: KEYS_MAX, maxAge: TIME_TO_LIVE_MS });

  constructor(
    @Inject(RpcClient) private readonly rpc: Pick<RpcClient, 'call'>,
    private readonly sealer: Sealer,
  ) {}

  /**
   * The organization's own key. Null: the managed key applies. Always null in test mode, which must not call a provider. Throws UNAVAILABLE
   * without the jobs service, and SealBrokenError when KILN_ENCRYPTION_KEY lacks the key that sealed it.
   */
  keyOf(provider: KeyedProvider, context: CallContext): Promise<string | null> {
    if (context.mode === 'test') return Promise.resolve(null);
    const cacheKey = `${context.tenantId} ${provider}`;
    const known = this.keys.get(cacheKey);
    if (known) return known;
    const key = this.read(provider, context);
    this.keys.set(cacheKey, key);
    key.catch(() => this.keys.delete(cacheKey));
    return key;
  }

  /** As `keyOf`, but never from the cache. */
  async freshKeyOf(provider: KeyedProvider, context: CallContext): Promise<string | null> {
    return context.mode === 'test' ? null : this.read(provider, context);
  }

  private async read(provider: KeyedProvider, context: CallContext): Promise<string | null> {
    const { sealed } = await this.rpc.call(jobsOperations.getSealedProviderKey, { provider }, context);
    if (sealed === null) return null;
    return this.sealer.open(Buffer.from(sealed, 'base64'), providerKeyContext(context.tenantId, provider));
  }
}
