// What a tenant's organization has chosen for the work of its runs, and what its plane allows.
import type { ExtractionProvider } from '@kiln/extraction';
import type { ProviderValue } from '@kiln/extraction/remote';

export interface RunPolicy {
  /** A run of a test plane never calls anything remote. */
  readonly isTest: boolean;
  /** What its routing rules say about a type; null when nothing. */
  ruledProvider(contentType: string): Promise<ExtractionProvider | null>;
  /** Its own key; null for the managed one. */
  keyOf(provider: ProviderValue): Promise<string | null>;
}

export interface RunPolicies {
  of(tenantId: string): RunPolicy;
}

/** Of an organization that has chosen nothing. */
export const managedPolicy: RunPolicy = {
  isTest: false,
  ruledProvider: () => Promise.resolve(null),
  keyOf: () => Promise.resolve(null),
};
