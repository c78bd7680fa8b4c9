// The languages of each tenant's files, as the last search read them. A search that relies on them reads them again in the same statement,
// so an outdated entry costs a repeat and never a result.
import type { TextLanguage } from '@kiln/contracts';
import QuickLRU from 'quick-lru';

const TENANTS_MAX = 10_000;
/** Most tenants have files of the default language only. */
const UNKNOWN: readonly TextLanguage[] = ['english'];

export class KnownLanguages {
  private readonly languages = new QuickLRU<string, readonly TextLanguage[]>({ maxSize: TENANTS_MAX });

  of(tenantId: string): readonly TextLanguage[] {
    return this.languages.get(tenantId) ?? UNKNOWN;
  }

  set(tenantId: string, languages: readonly TextLanguage[]): void {
    this.languages.set(tenantId, languages);
  }
}
