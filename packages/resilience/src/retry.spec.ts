import { describe, expect, it } from '@jest/globals';
import { pause, retry } from './retry.js';

describe('work that is retried', () => {
  const failing = (times: number) => {
    let calls = 0;
    const work = async () => {
      if (++calls <= times) throw new Error(`failure ${calls}`);
      return `success ${calls}`;
    };
    return { work, calls: () => calls };
  };

  it('returns the result of the first attempt that succeeds', async () => {
    const { work } = failing(2);
    const seen: [string, number][] = [];
    const waitMs = (error: unknown, failures: number) => {
      seen.push([(error as Error).message, failures]);
      return 0;
    };
    expect(await retry(work, { waitMs })).toBe('success 3');
    expect(seen).toStrictEqual([
      ['failure 1', 1],
      ['failure 2', 2],
    ]);
  });

  it('throws the last error when there is no further attempt', async () => {
    const { work, calls } = failing(Infinity);
    await expect(retry(work, { waitMs: (_error, failures) => (failures < 3 ? 0 : null) })).rejects.toThrow('failure 3');
    expect(calls()).toBe(3);
  });

  it('is given up at once when the signal fires during a wait', async () => {
    const { work, calls } = failing(Infinity);
    const abort = new AbortController();
    const waitMs = () => {
      // The wait begins before any microtask runs.
      queueMicrotask(() => abort.abort(new Error('lease lost')));
      return 600_000;
    };
    await expect(retry(work, { waitMs, signal: abort.signal })).rejects.toThrow('lease lost');
    expect(calls()).toBe(1);
  });
});

it('a pause does not begin when the signal has fired', async () => {
  await expect(pause(600_000, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
});
