// Provider keys between their text and the sealed column. Their text leaves this file only for a call to the provider.
import { modeOf, previewOf, type KeyedProvider } from '@kiln/contracts';
import type { SealedPlace, SealedRows, Sealer } from '@kiln/platform';
import type { ProviderKeyStore, SealedKey, ShownKey } from '../store/provider-key.store.js';

type Place = Pick<SealedKey, 'tenant_id' | 'provider'>;

const placeOf = ({ tenant_id, provider }: Place): SealedPlace => ({
  tenantId: tenant_id,
  rowId: provider,
  name: 'sealed',
});

export class ProviderKeys implements SealedRows<SealedKey> {
  readonly name = 'provider keys';

  constructor(
    private readonly keys: ProviderKeyStore,
    private readonly sealer: Sealer,
  ) {}

  save(liveTenantId: string, provider: KeyedProvider, key: string): Promise<ShownKey> {
    const place = { tenant_id: liveTenantId, provider };
    return this.keys.put({ ...place, sealed: this.sealer.seal(key, placeOf(place)) }, previewOf(key));
  }

  /**
   * The key that work of this tenant calls the provider with: its organization's own. Null: the managed one, always in test
   * mode. Throws SealBrokenError when KILN_ENCRYPTION_KEY lacks the key it was sealed with.
   */
  async open(tenantId: string, provider: KeyedProvider): Promise<string | null> {
    if (modeOf(tenantId) === 'test') return null;
    const row = await this.keys.find(tenantId, provider);
    return row && this.sealer.open(row.sealed, placeOf(row));
  }

  page(last: SealedKey | null, limit: number): Promise<SealedKey[]> {
    return this.keys.page(last, limit);
  }

  /** Seals one row with the newest encryption key; false when it is already, or was changed meanwhile. */
  async renew(row: SealedKey): Promise<boolean> {
    if (!this.sealer.isOld(row.sealed)) return false;
    const place = placeOf(row);
    return this.keys.reseal(row, this.sealer.seal(this.sealer.open(row.sealed, place), place));
  }
}
