// The choices of a tenant's organization for its runs, within what the tenant's mode allows.
import type { SearchLanguage } from '@kiln/contracts';
import type { ExtractionProvider } from '@kiln/extraction';
import type { ProviderValue } from '@kiln/model-clients/http/provider-endpoint';

export interface ExtractorAddress {
  url: string;
  /** `whsec_…` */
  secret: string;
}

export interface RunPolicy {
  /** A run in test mode calls no remote engine. */
  readonly isTest: boolean;
  /** The provider that its routing rules name for a content type. Null when no rule matches. */
  ruledProvider(contentType: string): Promise<ExtractionProvider | null>;
  /** The language of its searches. */
  searchLanguage(): Promise<SearchLanguage>;
  /** The organization's own key for the usual provider. Null: the managed key. */
  keyOf(provider: ProviderValue): Promise<string | null>;
  /** The organization's own extractor, which then reads its files. Null: it has none. */
  extractorOf(provider: ExtractionProvider): Promise<ExtractorAddress | null>;
}

export interface RunPolicies {
  of(tenantId: string): RunPolicy;
}
