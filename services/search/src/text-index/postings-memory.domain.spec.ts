import { describe, expect, it } from '@jest/globals';
import { inCall, RunningCall } from '@kiln/platform';
import { PostingsMemory } from './postings-memory.domain.js';

/** Work that lasts until `end` is called. */
function openWork(memory: PostingsMemory, tenantId: string, bytes: number) {
  let end = () => undefined as void;
  const state = { started: false, shrinkTo: (_bytes: number) => undefined as void };
  const done = memory.reserve(tenantId, bytes, (reserved) => {
    state.started = true;
    state.shrinkTo = (less) => reserved.shrinkTo(less);
    return new Promise<void>((resolve) => (end = resolve));
  });
  return { state, done, end: () => (end(), done) };
}

const rest = () => new Promise((resolve) => setImmediate(resolve));

describe('the memory for postings', () => {
  it('leaves half to other tenants, and is free again after each search, also one that fails', async () => {
    const memory = new PostingsMemory(100);
    const failed = memory.reserve('one', 100, () => Promise.reject(new Error('failed')));
    await expect(failed).rejects.toThrow('failed');
    const [first, second] = [openWork(memory, 'one', 40), openWork(memory, 'one', 40)];
    const other = openWork(memory, 'other', 50);
    await rest();
    expect([first, second, other].map(({ state }) => state.started)).toStrictEqual([true, false, true]);
    await other.end();
    await first.end();
    await rest();
    expect(second.state.started).toBe(true);
    await second.end();
  });

  it('is free for others as soon as a search knows that it needs less', async () => {
    const memory = new PostingsMemory(100);
    const [first, second] = [openWork(memory, 'one', 90), openWork(memory, 'other', 80)];
    await rest();
    expect(second.state.started).toBe(false);
    first.state.shrinkTo(10);
    await rest();
    expect(second.state.started).toBe(true);
    await Promise.all([first.end(), second.end()]);
  });

  it('is enough for a search that asks for more than there is', async () => {
    const memory = new PostingsMemory(100);
    await expect(memory.reserve('one', 1_000, () => Promise.resolve('found'))).resolves.toBe('found');
    await expect(memory.reserve('one', 1_000, () => Promise.resolve('found'))).resolves.toBe('found');
  });

  it('refuses a search whose call ends while it waits', async () => {
    const memory = new PostingsMemory(100);
    const first = openWork(memory, 'one', 100);
    const call = new RunningCall('one');
    const waiting = inCall(call, () => memory.reserve('one', 100, () => Promise.resolve()));
    const refusal = waiting.catch((error: unknown) => error);
    call.end();
    expect(await refusal).toMatchObject({ code: 'UNAVAILABLE' });
    await first.end();
  });
});
