// The settings of an organization, with defaults for what it has not set.
import {
  defaultVariantTypes,
  DEFAULT_SEARCH_LANGUAGE,
  standardChunking,
  type Chunking,
  type OrganizationSettings,
  type SearchLanguage,
  type VariantType,
} from '@kiln/contracts';

/** Null: not set. */
export interface StoredSettings {
  default_embedding_model: string | null;
  default_chunking: Chunking | null;
  default_variants: VariantType[] | null;
  search_language: SearchLanguage | null;
  answer_instructions: string | null;
}

export const settingsOf = (stored: StoredSettings | null, embeddingModel: string): OrganizationSettings => ({
  default_embedding_model: stored?.default_embedding_model ?? embeddingModel,
  default_chunking: stored?.default_chunking ?? standardChunking,
  default_variants: stored?.default_variants ?? [...defaultVariantTypes],
  search_language: stored?.search_language ?? DEFAULT_SEARCH_LANGUAGE,
  answer_instructions: stored?.answer_instructions ?? null,
});
