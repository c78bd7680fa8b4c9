import { describe, expect, it } from '@jest/globals';
import { ByteSemaphore } from './byte-semaphore.js';

const never = new AbortController().signal;
/** Until all that can go on has done so. */
const idle = () => new Promise((resolve) => setImmediate(resolve));

describe('bytes in memory', () => {
  it('are never more than the limit, and runs get them in the order in which they came', async () => {
    const semaphore = new ByteSemaphore(100);
    const entered: string[] = [];
    const held = new Map<string, () => void>();
    const run = async (name: string, bytes: number) => {
      const release = await semaphore.take(bytes, never);
      entered.push(name);
      held.set(name, release);
    };
    const begin = (name: string, bytes: number) => void run(name, bytes);
    begin('a', 60);
    begin('b', 60);
    begin('c', 10);
    await idle();
    // The third would fit, but must not overtake.
    expect(entered).toStrictEqual(['a']);
    held.get('a')?.();
    held.get('a')?.();
    await idle();
    expect(entered).toStrictEqual(['a', 'b', 'c']);
    begin('d', 1_000);
    begin('e', 1);
    await idle();
    held.get('b')?.();
    await idle();
    expect(entered).toHaveLength(3);
    held.get('c')?.();
    await idle();
    // More than all is granted alone.
    expect(entered).toStrictEqual(['a', 'b', 'c', 'd']);
    held.get('d')?.();
    await idle();
    expect(entered.at(-1)).toBe('e');
  });

  it('are not waited for by a run that was aborted, and it holds up no other', async () => {
    const semaphore = new ByteSemaphore(100);
    const release = await semaphore.take(50, never);
    const abort = new AbortController();
    const aborted = semaphore.take(100, abort.signal);
    const next = semaphore.take(50, never);
    abort.abort(new Error('the lease is lost'));
    await expect(aborted).rejects.toThrow('the lease is lost');
    (await next)();
    release();
    (await semaphore.take(100, never))();
    await expect(semaphore.take(1, abort.signal)).rejects.toThrow('the lease is lost');
  });
});
