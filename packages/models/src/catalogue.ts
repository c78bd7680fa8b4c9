/** Models that `models pull` knows by name. Each is published with its ONNX graph, under the Apache License 2.0. */
import type { ModelKind } from './model-manifest.js';

export interface CatalogueEntry {
  readonly kind: ModelKind;
  /** The repository on the Hugging Face Hub. */
  readonly repository: string;
  readonly about: string;
}

export const DEFAULT_MODEL = 'all-MiniLM-L6-v2';

export const catalogue: Readonly<Record<string, CatalogueEntry>> = {
  [DEFAULT_MODEL]: {
    kind: 'embedding',
    repository: 'Xenova/all-MiniLM-L6-v2',
    about: 'English sentences, 384 numbers',
  },
  'paraphrase-multilingual-MiniLM-L12-v2': {
    kind: 'embedding',
    repository: 'Xenova/paraphrase-multilingual-MiniLM-L12-v2',
    about: 'sentences in 50 languages, 384 numbers',
  },
  'ms-marco-MiniLM-L-6-v2': {
    kind: 'reranking',
    repository: 'Xenova/ms-marco-MiniLM-L-6-v2',
    about: 'relevance of English texts to a query',
  },
};
