import {
  chatVariables,
  checkProviderVariables,
  checkStorageVariables,
  databaseVariables,
  embeddingVariables,
  encryptionVariables,
  loadConfig,
  outboundVariables,
  processVariables,
  rerankVariables,
  storageVariables,
} from '@kiln/platform';
import { z } from 'zod';

const schema = z
  .object({
    ...processVariables,
    ...databaseVariables,
    ...storageVariables,
    /** The keys that decrypt the organizations' own keys for providers. */
    ...encryptionVariables,
    ...embeddingVariables,
    ...chatVariables,
    ...rerankVariables,
    /** The most memory for postings that searches use at the same time in each process. */
    KILN_POSTINGS_MEMORY_BYTES: z.coerce.number().int().min(16_777_216).default(100_663_296),
    /** The most memory for vectors in each process, without pgvector: 100,000 vectors of 384 numbers take 46 MB. */
    KILN_VECTOR_MEMORY_BYTES: z.coerce.number().int().min(1_048_576).default(268_435_456),
    /** The share of meaning in the score of a hybrid search. */
    KILN_HYBRID_VECTOR_WEIGHT: z.coerce.number().min(0).max(1).default(0.3),
    /** Requests to providers go through this proxy. */
    KILN_OUTBOUND_PROXY: outboundVariables.KILN_OUTBOUND_PROXY,
  })
  .superRefine(checkStorageVariables)
  .superRefine(checkProviderVariables)
  .refine(({ KILN_CHAT_MODEL: model, ...given }) => model || !(given.KILN_CHAT_URL || given.KILN_CHAT_BYOK_URL), {
    path: ['KILN_CHAT_MODEL'],
    error: 'must name the model of KILN_CHAT_URL',
  });

export type SearchConfig = Readonly<z.output<typeof schema>>;

/** Injection token of the configuration. */
export const SEARCH_CONFIG = Symbol('search config');

export const loadSearchConfig = (): SearchConfig => loadConfig(schema, process.env);
