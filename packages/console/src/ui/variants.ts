import type { Schemas } from '@kiln/sdk';

export type VariantType = Schemas['VariantSummary']['type'];

/** Each type of variant, with what it is for. */
export const variantNames: Readonly<Record<VariantType, string>> = {
  markdown: 'The text, as markdown',
  embeddings: 'Vectors, for searches by meaning',
  metadata: 'Title, author, language and counts',
  'searchable-index': 'Chunks, for searches',
  thumbnails: 'A small picture',
  layout: 'Where each block stands on its page',
};

export const variantTypes = Object.keys(variantNames) as VariantType[];
