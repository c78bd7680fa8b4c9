import { expect, it } from '@jest/globals';
import { embeddingVariables, rerankVariables } from '@kiln/platform';
import { z } from 'zod';
import { announceModels } from './announce-models.service.js';

it('the facts of /readyz say which models there are, and what to do without them', () => {
  const factsOf = (environment: Record<string, string>) => {
    const facts: Record<string, string> = {};
    const config = z.object({ ...embeddingVariables, ...rerankVariables }).parse(environment);
    announceModels(config, { setFact: (name, value) => void (facts[name] = value) });
    return facts;
  };
  const url = 'http://127.0.0.1:1/v1';
  expect(factsOf({})).toStrictEqual({
    embeddings: expect.stringMatching(/^none: set KILN_EMBEDDING_URL/),
    reranking: expect.stringMatching(/^none: set KILN_RERANK_URL/),
  });
  expect(factsOf({ KILN_EMBEDDING_URL: url, KILN_RERANK_URL: url })).toStrictEqual({
    embeddings: 'configured',
    reranking: 'configured',
  });
  expect(factsOf({ KILN_EMBEDDING_BYOK_URL: url })).toMatchObject({ embeddings: 'configured' });
});
