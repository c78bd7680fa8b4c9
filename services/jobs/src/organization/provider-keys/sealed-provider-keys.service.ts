// Seals and opens provider keys. A key's text leaves this file only for a call to the provider.
import { modeOf, previewOf, type KeyedProvider } from '@kiln/contracts';
import { providerKeyContext, Sealer, type SealedRows } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { ProviderKeyStore, type FoundKey, type SealedKey, type ShownKey } from './provider-key.store.js';

export interface OwnKey {
  key: string;
  /** The organization's own extractor, whose requests the key signs. Null: the key is for the usual provider. */
  url: string | null;
}

type Place = Pick<SealedKey, 'tenant_id' | 'provider'>;

const placeOf = ({ tenant_id, provider }: Place) => providerKeyContext(tenant_id, provider);

@Injectable()
export class SealedProviderKeys implements SealedRows<SealedKey> {
  readonly name = 'provider keys';

  constructor(
    private readonly keys: ProviderKeyStore,
    private readonly sealer: Sealer,
  ) {}

  save(
    liveTenantId: string,
    provider: KeyedProvider,
    { key, url = null }: { key: string; url?: string | null },
  ): Promise<ShownKey> {
    const place = { tenant_id: liveTenantId, provider };
    return this.keys.put({ ...place, sealed: this.sealer.seal(key, placeOf(place)) }, { preview: previewOf(key), url });
  }

  /**
   * The organization's own key for the provider. Null: the managed key, always in test mode. Throws SealBrokenError when
   * KILN_ENCRYPTION_KEY lacks the key that sealed it.
   */
  async open(tenantId: string, provider: KeyedProvider): Promise<OwnKey | null> {
    const found = await this.find(tenantId, provider);
    return found && { key: this.sealer.open(found.sealed, placeOf(found)), url: found.url };
  }

  /** As `open`, but still sealed. */
  async find(tenantId: string, provider: KeyedProvider): Promise<FoundKey | null> {
    return modeOf(tenantId) === 'test' ? null : this.keys.find(tenantId, provider);
  }

  page(last: SealedKey | null, limit: number): Promise<SealedKey[]> {
    return this.keys.page(last, limit);
  }

  /** Seals one row with the newest encryption key. False when it already was, or when the row has changed since it was read. */
  async renew(row: SealedKey): Promise<boolean> {
    const sealed = this.sealer.reseal(row.sealed, placeOf(row));
    return sealed !== null && this.keys.reseal(row, sealed);
  }
}
