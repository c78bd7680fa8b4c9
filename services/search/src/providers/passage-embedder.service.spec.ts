import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CallContext } from '@kiln/contracts';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import { PassageEmbedder } from './passage-embedder.service.js';

const endpoint = {
  url: 'http://127.0.0.1:9/v1',
  key: null,
  keyOwner: 'operator',
  provider: 'embedding',
  purpose: 'embeddings',
} as never;

const contextIn = (milliseconds: number): CallContext => ({
  requestId: 'test',
  tenantId: 'a',
  mode: 'live',
  principal: 'operator',
  deadlineAt: Date.now() + milliseconds,
});

describe('the embedding of passages', () => {
  let faults: ProviderError[];
  let running: number;
  let runningMax: number;
  let isConfigured: boolean;
  beforeEach(() => {
    [faults, running, runningMax, isConfigured] = [[], 0, 0, true];
  });
  const embed = async (texts: string[]) => {
    const fault = faults.shift();
    if (fault) throw fault;
    runningMax = Math.max(runningMax, ++running);
    await Promise.resolve();
    running--;
    return { vectors: texts.map(({ length }) => [length, 1]), tokens: 0 };
  };
  const chain = { run: (work: (engine: object) => Promise<unknown>) => work({ embed }) };
  const engines = { choose: () => (isConfigured ? { chain, model: 'm', key: 'managed' } : null) as never };
  const embedder = new PassageEmbedder(engines, { keyOf: () => Promise.resolve(null) });

  it('returns a vector for each text, and the length of vectors', async () => {
    expect(await embedder.embed(['a', 'bc'], 'm', contextIn(60_000))).toStrictEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(await embedder.dimensionsOf('m', contextIn(60_000))).toBe(2);
  });

  it('sends one request at a time, so that queries find a free place', async () => {
    await Promise.all(Array.from({ length: 5 }, () => embedder.embed(['a'], 'm', contextIn(60_000))));
    expect(runningMax).toBe(1);
  });

  it('waits while the provider is busy or away, and ends at the deadline', async () => {
    const passing = (fault: 'busy' | 'server_error') =>
      new ProviderError(fault, endpoint, { retryAfterSeconds: 0.001 });
    faults = [passing('busy'), passing('server_error')];
    expect(await embedder.embed(['a'], 'm', contextIn(60_000))).toStrictEqual([[1, 1]]);
    faults = Array.from({ length: 10_000 }, () => passing('busy'));
    await expect(embedder.embed(['a'], 'm', contextIn(20))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('reports what must be corrected', async () => {
    faults = [new ProviderError('refused', endpoint, { message: 'The model "m" is not offered here.' })];
    await expect(embedder.embed(['a'], 'm', contextIn(60_000))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('not offered'),
    });
    isConfigured = false;
    await expect(embedder.embed(['a'], 'm', contextIn(60_000))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
