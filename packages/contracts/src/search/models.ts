// The models that searches and answers of a caller can use.
import { z } from 'zod';
import { operation } from '../core/operation.js';

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
};
