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

const isNode = (text: string) => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && search === '';
};
const nodes = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim()))
  .refine((urls) => urls.every(isNode), {
    error: 'must be http(s) URLs without user and password, separated by commas; see KILN_SEARCH_USER and _PASSWORD',
  });

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
    /** Nodes of an OpenSearch cluster, which holds the text index in place of PostgreSQL: docs/opensearch.md. */
    KILN_SEARCH_URL: nodes.optional(),
    KILN_SEARCH_USER: z.string().min(1).optional(),
    KILN_SEARCH_PASSWORD: z.string().min(1).optional(),
    /** PEM certificates of the authorities that are trusted instead of the well-known ones. */
    KILN_SEARCH_CA: z.string().min(1).optional(),
    /** The beginning of the name of the index. */
    KILN_SEARCH_INDEX: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, { error: 'must be lower-case letters, digits, - and _' })
      .default('kiln-text'),
    /** Of a new index. */
    KILN_SEARCH_SHARDS: z.coerce.number().int().min(1).max(1_024).default(5),
    KILN_SEARCH_REPLICAS: z.coerce.number().int().min(0).max(10).default(1),
    /** Where vectors are searched: in PostgreSQL with pgvector or the memory of the process, or in OpenSearch with its k-NN plugin. */
    KILN_SEARCH_VECTORS: z.enum(['postgres', 'opensearch']).default('postgres'),
    /** Requests to providers go through this proxy. */
    KILN_OUTBOUND_PROXY: outboundVariables.KILN_OUTBOUND_PROXY,
  })
  .superRefine(checkStorageVariables)
  .superRefine(checkProviderVariables)
  .refine(
    ({ KILN_SEARCH_USER: user, KILN_SEARCH_PASSWORD: password }) => (user === undefined) === (password === undefined),
    {
      path: ['KILN_SEARCH_PASSWORD'],
      error: 'must be set together with KILN_SEARCH_USER',
    },
  )
  .refine(({ KILN_SEARCH_URL: urls, KILN_SEARCH_VECTORS: vectors }) => vectors === 'postgres' || urls !== undefined, {
    path: ['KILN_SEARCH_VECTORS'],
    error: 'can be opensearch only together with KILN_SEARCH_URL',
  })
  .refine(({ KILN_CHAT_MODEL: model, ...given }) => model || !(given.KILN_CHAT_URL || given.KILN_CHAT_BYOK_URL), {
    path: ['KILN_CHAT_MODEL'],
    error: 'must name the model of KILN_CHAT_URL',
  });

export type SearchConfig = Readonly<z.output<typeof schema>>;

/** Injection token of the configuration. */
export const SEARCH_CONFIG = Symbol('search config');

export const loadSearchConfig = (): SearchConfig => loadConfig(schema, process.env);
