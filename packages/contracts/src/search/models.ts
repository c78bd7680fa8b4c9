// The models that searches and answers of a caller can use.
import { z } from 'zod';
import { operation } from '../core/operation.js';
import { KEY_TEST_TIMEOUT_MS, keyTestSchema } from '../jobs/provider-keys.js';

export const modelsSchema = z.object({
  embeddings: z
    .boolean()
    .meta({ description: 'Whether new files get embeddings, by which searches find their meaning.' }),
  reranking: z.boolean().meta({ description: 'Whether searches with `rerank` are scored by a model.' }),
  chat_models: z.array(z.string()).meta({
    description: 'The models that write answers, the default first. Without one, answers are sentences of the files.',
  }),
});

export const modelsOperations = {
  findModels: operation({
    subject: 'search.findModels.v1',
    input: z.object({}),
    output: modelsSchema,
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** Sends a few words to the provider with the organization's own key. Called for the live tenant. */
  testModelKey: operation({
    subject: 'search.testModelKey.v1',
    input: z.object({ provider: z.enum(['embedding', 'chat']) }),
    output: keyTestSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: KEY_TEST_TIMEOUT_MS,
    idempotent: false,
  }),
};
