import { describe, expect, it } from '@jest/globals';
import { InferenceQueue, type RunBatch } from './inference-queue.js';

/** Batches that end when the spec says so. */
function batches() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const batch = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  const untilIdle = () => new Promise((resolve) => void setImmediate(resolve));
  return {
    begun,
    requestOf:
      (...names: string[]) =>
      async (runBatch: RunBatch) => {
        const results: string[] = [];
        for (const name of names) results.push(await runBatch(batch(name)));
        return results;
      },
    end: async (name: string) => {
      ends.get(name)?.();
      await untilIdle();
    },
    untilIdle,
  };
}

describe('the queue of a model', () => {
  it('computes one batch at a time, and those of a search before those of documents', async () => {
    const queue = new InferenceQueue(10);
    const { begun, requestOf, end, untilIdle } = batches();
    const document = queue.admit('document', requestOf('document 1', 'document 2'));
    const other = queue.admit('document', requestOf('other 1'));
    const search = queue.admit('search', requestOf('search'));
    await untilIdle();
    expect(begun).toStrictEqual(['document 1']);
    for (const name of ['document 1', 'search', 'other 1', 'document 2']) await end(name);
    expect(begun).toStrictEqual(['document 1', 'search', 'other 1', 'document 2']);
    expect(await Promise.all([document, other, search])).toStrictEqual([
      ['document 1', 'document 2'],
      ['other 1'],
      ['search'],
    ]);
  });

  it('refuses requests beyond its limit, and admits others when one has ended, however it ended', async () => {
    const queue = new InferenceQueue(1);
    const failing = queue.admit('search', (runBatch) => runBatch(() => Promise.reject(new Error('no memory'))));
    expect(queue.admit('search', () => Promise.resolve(1))).toBeNull();
    await expect(failing).rejects.toThrow('no memory');
    expect(await queue.admit('search', (runBatch) => runBatch(() => Promise.resolve(2)))).toBe(2);
  });
});
