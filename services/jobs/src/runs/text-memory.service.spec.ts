// Faked: the time that a run waits.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { NoTextRoom } from './domain/no-text-room.js';
import { TextMemory } from './text-memory.service.js';

const never = new AbortController().signal;

describe('the memory for large texts', () => {
  let memory: TextMemory;
  let entered: string[];
  const held = new Map<string, () => void>();
  beforeEach(() => {
    jest.useFakeTimers();
    memory = new TextMemory(100, 5_000);
    entered = [];
    held.clear();
  });
  afterEach(() => void jest.useRealTimers());

  /** The first letter of a name is the tenant. */
  const begin = async (name: string, bytes: number, signal = never) => {
    const [tenantId = ''] = name;
    held.set(name, await memory.take(tenantId, bytes, signal));
    entered.push(name);
  };
  /** Until all that can go on has done so. */
  const idle = () => jest.advanceTimersByTimeAsync(0);

  it('is never held beyond its limit, and a tenant’s further texts wait behind its own, not before those of others', async () => {
    for (const [name, bytes] of [
      ['a0', 45],
      ['a1', 45],
      ['a2', 45],
      ['b0', 45],
      ['c0', 20],
    ] as const)
      void begin(name, bytes);
    await idle();
    expect(entered).toStrictEqual(['a0', 'b0']);
    held.get('a0')?.();
    held.get('a0')?.();
    await idle();
    expect(entered).toStrictEqual(['a0', 'b0', 'a1']);
    held.get('b0')?.();
    await idle();
    expect(entered).toStrictEqual(['a0', 'b0', 'a1', 'c0']);
    held.get('a1')?.();
    await idle();
    expect(entered.at(-1)).toBe('a2');
  });

  it('is granted alone to a text that is larger than all of it', async () => {
    void begin('a0', 10);
    void begin('b0', 1_000);
    await idle();
    held.get('a0')?.();
    await idle();
    expect(entered).toStrictEqual(['a0', 'b0']);
    void begin('c0', 1);
    await idle();
    held.get('b0')?.();
    await idle();
    expect(entered.at(-1)).toBe('c0');
  });

  it('is not waited for longer than for some seconds, and who has left is given nothing', async () => {
    await begin('a0', 80);
    const late = begin('b0', 80).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await late).toBeInstanceOf(NoTextRoom);
    held.get('a0')?.();
    await begin('c0', 100);
    expect(entered).toStrictEqual(['a0', 'c0']);
  });

  it('is not waited for by a run that was aborted, and it holds up no other', async () => {
    await begin('a0', 50);
    const abort = new AbortController();
    const aborted = begin('b0', 100, abort.signal).catch((error: unknown) => error);
    abort.abort(new Error('the lease is lost'));
    expect(await aborted).toMatchObject({ message: 'the lease is lost' });
    await begin('c0', 50);
    await expect(begin('d0', 1, abort.signal)).rejects.toThrow('the lease is lost');
    expect(entered).toStrictEqual(['a0', 'c0']);
  });
});
