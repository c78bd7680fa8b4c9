// The settings of an organization that has set nothing, or not everything.
import { chunkingSchema, type OrganizationSettings, type VariantType } from '@kiln/contracts';

/** What was set; null where nothing was. */
export interface StoredSettings {
  default_embedding_model: string | null;
  default_chunking: OrganizationSettings['default_chunking'] | null;
  default_variants: VariantType[] | null;
}

const VARIANTS: readonly VariantType[] = ['markdown', 'embeddings', 'metadata', 'searchable-index'];

export const settingsOf = (stored: StoredSettings | null, embeddingModel: string): OrganizationSettings => ({
  default_embedding_model: stored?.default_embedding_model ?? embeddingModel,
  default_chunking: stored?.default_chunking ?? chunkingSchema.parse({}),
  default_variants: stored?.default_variants ?? [...VARIANTS],
});
