import { describe, expect, it } from '@jest/globals';
import type { Changes, FileChange } from '../changes.domain.js';
import { combined } from './combined-changes.domain.js';

const MEGABYTE = 1_048_576;

const fileOf = (fileId: string, generation: number, bytes = 8): FileChange => ({
  fileId,
  generation,
  jobNumber: 1,
  fence: 1,
  facets: [],
  parts: [{ firstIndex: 0, codes: Buffer.alloc(bytes) }],
});
const batchOf = (generation: number, files: FileChange[], isReset = false): Changes => ({
  generation,
  files,
  isReset,
});
const combine = async (batches: Changes[]) => {
  async function* feed() {
    yield* batches;
    await Promise.resolve();
  }
  return Array.fromAsync(combined(feed()));
};

describe('combined changes', () => {
  it('are one batch of small ones, complete up to the generation of the last', async () => {
    const [a, b] = [fileOf('a', 1), fileOf('b', 2)];
    expect(await combine([batchOf(1, [a]), batchOf(2, [b]), batchOf(3, [])])).toStrictEqual([batchOf(3, [a, b])]);
  });

  it('have the last change of a file only', async () => {
    const again = fileOf('a', 2);
    expect(await combine([batchOf(1, [fileOf('a', 1)]), batchOf(2, [again])])).toStrictEqual([batchOf(2, [again])]);
  });

  it('end before 4 MiB are exceeded, and keep a larger batch as it is', async () => {
    const [a, b, c] = [fileOf('a', 1, 3 * MEGABYTE), fileOf('b', 2, 3 * MEGABYTE), fileOf('c', 3, 9 * MEGABYTE)];
    const batches = [batchOf(1, [a]), batchOf(2, [b]), batchOf(3, [c])];
    expect(await combine(batches)).toStrictEqual(batches);
  });

  it('begin anew with a batch that empties the copy', async () => {
    const [a, b] = [fileOf('a', 1), fileOf('b', 2)];
    const batches = [batchOf(1, [a]), batchOf(2, [b], true)];
    expect(await combine(batches)).toStrictEqual(batches);
    expect(await combine([batchOf(2, [b], true), batchOf(3, [a])])).toStrictEqual([batchOf(3, [b, a], true)]);
  });

  it('are none without batches', async () => {
    expect(await combine([])).toStrictEqual([]);
  });
});
