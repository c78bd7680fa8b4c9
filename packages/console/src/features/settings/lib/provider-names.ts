// The providers of extraction, embeddings and chat, as people call them.
import type { Schemas } from '@kiln/sdk';

export type KeyedProvider = Schemas['SetProviderKeyRequest']['provider'];
export type ExtractionProvider = Exclude<KeyedProvider, 'embedding' | 'chat'>;

export const extractionProviders = ['document_extractor', 'image_extractor', 'audio_extractor'] as const;

export const providerNames: Readonly<Record<KeyedProvider, string>> = {
  document_extractor: 'Documents',
  image_extractor: 'Images',
  audio_extractor: 'Audio',
  embedding: 'Embeddings',
  chat: 'Chat',
};

export const keyedProviders = Object.keys(providerNames) as KeyedProvider[];

/** A server of the organization's own can extract, and nothing else. */
export const mayHaveUrl = (provider: KeyedProvider): boolean => extractionProviders.some((one) => one === provider);
