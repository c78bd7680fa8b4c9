import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Session } from './session.js';

const tokenOf = (letter: string) => `kiln_pt_${letter.repeat(43)}`;
const START = Date.parse('2026-11-21T10:00:00Z');
const timeOf = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

describe('a session', () => {
  const expiries = new Map<string, number>();
  let isServerAway = false;
  let announced: string[];
  let session: Session;
  beforeEach(() => {
    jest.useFakeTimers({ now: START });
    expiries.clear();
    isServerAway = false;
    announced = [];
    session = new Session({
      verify: async (token) => {
        if (isServerAway) throw new TypeError('no connection');
        const expiresAt = expiries.get(token);
        if (expiresAt === undefined || expiresAt <= Date.now()) return { valid: false, space: null, expires_at: null };
        return { valid: true, space: `space of ${token.at(-1)}`, expires_at: timeOf(expiresAt) };
      },
      now: () => Date.now(),
      onExpiring: (at) => announced.push(`expiring ${at.toISOString()}`),
      onEnd: () => announced.push('ended'),
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  async function openFor(seconds: number, letter = 'a') {
    expiries.set(tokenOf(letter), Date.now() + seconds * 1_000);
    await session.offer(tokenOf(letter));
  }

  it('opens with a valid token, announces its end a minute before, and ends', async () => {
    await openFor(3_600);
    expect([session.state, session.token]).toStrictEqual([{ kind: 'open', space: 'space of a' }, tokenOf('a')]);
    await jest.advanceTimersByTimeAsync(3_539_000);
    expect(announced).toStrictEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(announced).toStrictEqual(['expiring 2026-11-21T11:00:00.000Z']);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([session.state, session.token]).toStrictEqual([{ kind: 'ended', reason: 'expired' }, '']);
    expect(announced.at(-1)).toBe('ended');
  });

  it('announces the end of a short token at half of its time', async () => {
    await openFor(60);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(announced).toStrictEqual(['expiring 2026-11-21T10:01:00.000Z']);
  });

  it('goes on with a renewed token, before and after its end', async () => {
    await openFor(600);
    await jest.advanceTimersByTimeAsync(590_000);
    await openFor(600, 'b');
    await jest.advanceTimersByTimeAsync(60_000);
    expect([session.state.kind, session.token]).toStrictEqual(['open', tokenOf('b')]);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(session.state.kind).toBe('ended');
    await openFor(600, 'c');
    expect(session.state).toStrictEqual({ kind: 'open', space: 'space of c' });
  });

  it('is not ended by a token that is not valid, and does not open with one', async () => {
    await session.offer(tokenOf('x'));
    expect(session.state).toStrictEqual({ kind: 'ended', reason: 'refused' });
    await openFor(600);
    for (const wrong of [tokenOf('x'), 'kiln_live_key', '']) await session.offer(wrong);
    expect([session.state.kind, session.token]).toStrictEqual(['open', tokenOf('a')]);
  });

  it('announces its end once, whatever tokens are offered after it', async () => {
    for (const letter of ['x', 'y', 'z']) await session.offer(tokenOf(letter));
    expect(announced).toStrictEqual(['ended']);
    await openFor(600);
    expiries.clear();
    await session.recheck();
    await session.offer(tokenOf('x'));
    expect(await session.recheck()).toBe(false);
    expect(announced).toStrictEqual(['ended', 'ended']);
  });

  it('ends when the server refuses a request and the token, and not when it refuses the request only', async () => {
    await openFor(600);
    expect(await session.recheck()).toBe(true);
    expiries.clear();
    expect(await session.recheck()).toBe(false);
    expect(session.state).toStrictEqual({ kind: 'ended', reason: 'refused' });
  });

  it('waits for a server that is away', async () => {
    isServerAway = true;
    const opening = openFor(600);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(session.state.kind).toBe('checking');
    isServerAway = false;
    await jest.advanceTimersByTimeAsync(3_000);
    await opening;
    expect(session.state.kind).toBe('open');
  });

  it('takes the latest of several tokens, whatever the order of the answers', async () => {
    isServerAway = true;
    const first = openFor(600, 'a');
    isServerAway = false;
    await openFor(600, 'b');
    await jest.advanceTimersByTimeAsync(10_000);
    await first;
    expect(session.token).toBe(tokenOf('b'));
  });
});
