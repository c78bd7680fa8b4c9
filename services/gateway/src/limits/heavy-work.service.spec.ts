import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { badRequest } from '@kiln/contracts';
import { HeavyWork, unitsOfBytes } from './heavy-work.service.js';

const KIB = 1_024;

describe('heavy work', () => {
  let work: HeavyWork;
  let running: string[];
  let ends: Map<string, () => void>;
  let results: Promise<string>[];
  const leave = new Map<string, AbortController>();

  beforeEach(() => {
    jest.useFakeTimers();
    [work, running, ends, results] = [new HeavyWork(), [], new Map(), []];
  });
  afterEach(() => void jest.useRealTimers());

  /** Lets promises advance; no time passes. */
  const rest = () => jest.advanceTimersByTimeAsync(0);

  async function ask(name: string, tenantId: string, units: number): Promise<void> {
    const left = new AbortController();
    leave.set(name, left);
    const result = work.take({ tenantId, left: () => left.signal }, units).then(async (held) => {
      running.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      running.splice(running.indexOf(name), 1);
      held.release();
      return name;
    });
    results.push(result.catch((error: unknown) => (error as Error).message));
    await rest();
  }

  async function end(name: string): Promise<void> {
    ends.get(name)?.();
    await rest();
  }

  it('of one tenant is done one after the other, beside that of another tenant and beside light work', async () => {
    for (const name of ['a1', 'a2', 'a3']) await ask(name, 'a', 64);
    await ask('b1', 'b', 64);
    await ask('a light', 'a', 0);
    expect(running).toStrictEqual(['a1', 'b1', 'a light']);
    await end('a1');
    expect(running).toStrictEqual(['b1', 'a light', 'a2']);
    await end('b1');
    await end('a2');
    expect(running).toStrictEqual(['a light', 'a3']);
  });

  it('goes to the tenants in rotation, however many requests one of them has sent', async () => {
    await ask('a1', 'a', 64);
    await ask('b1', 'b', 64);
    for (const name of ['a2', 'a3', 'a4']) await ask(name, 'a', 64);
    await ask('c1', 'c', 64);
    await end('a1');
    expect(running).toStrictEqual(['b1', 'a2']);
    await end('b1');
    expect(running).toStrictEqual(['a2', 'c1']);
    await end('a2');
    expect(running).toStrictEqual(['c1', 'a3']);
  });

  it('that has waited for 10 s is refused with the time of a retry, and its place goes to the next', async () => {
    for (const name of ['a1', 'a2']) await ask(name, 'a', 64);
    await jest.advanceTimersByTimeAsync(9_999);
    await ask('a3', 'a', 64);
    await jest.advanceTimersByTimeAsync(1);
    expect(await results[1]).toMatch(/^Too many of your large requests are waiting/);
    await end('a1');
    expect(running).toStrictEqual(['a3']);
  });

  it('whose caller leaves while it waits is never begun', async () => {
    for (const name of ['a1', 'a2', 'a3']) await ask(name, 'a', 64);
    leave.get('a2')?.abort(badRequest('The caller disconnected.'));
    await end('a1');
    expect([running, await results[1]]).toStrictEqual([['a3'], 'The caller disconnected.']);
  });

  it('waits in a queue of at most 200 requests of a tenant', async () => {
    for (let count = 0; count < 202; count++) await ask(`a${count}`, 'a', 64);
    expect(await results[201]).toMatch(/^Too many/);
    expect(running).toStrictEqual(['a0']);
  });

  it('that others keep from its place is refused in other words, and with another status', async () => {
    for (const name of ['a', 'b', 'c']) await ask(name, name, 64);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(running).toStrictEqual(['a', 'b']);
    expect(await results[2]).toBe('Large requests of others take all places for them. Retry in a moment.');
  });

  it('gives back its place once, however often it is released', async () => {
    const left = () => new AbortController().signal;
    const held = await work.take({ tenantId: 'a', left }, 64);
    for (let times = 0; times < 3; times++) held.release();
    for (const name of ['a1', 'a2']) await ask(name, 'a', 64);
    expect(running).toStrictEqual(['a1']);
  });

  it('is known by the length of a body', () => {
    expect([15, 160, 5_000].map((kib) => unitsOfBytes(kib * KIB))).toStrictEqual([0, 10, 312]);
  });
});
