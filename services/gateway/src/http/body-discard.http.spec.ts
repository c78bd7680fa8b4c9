import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { BodyDiscard, BYTES_PER_INTERVAL } from './body-discard.http.js';

const CHUNK = Buffer.alloc(64 * 1024);

describe('the discard of bodies', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => void jest.useRealTimers());

  /** A body of so many chunks, which counts those that were read. Like a socket, it has one in each pass of the event loop. */
  function bodyOf(chunks: number) {
    const body = { read: 0, stream: new Readable({ highWaterMark: CHUNK.length }) };
    body.stream._read = () =>
      void setImmediate().then(() => body.stream.destroyed || body.stream.push(body.read++ < chunks ? CHUNK : null));
    return body;
  }
  const allRead = async () => {
    for (let at = 0; at < 1_000; at++) await setImmediate();
  };

  it('reads at most 8 MiB in an interval, however many bodies there are, and at least half of an equal share of each', async () => {
    const discard = new BodyDiscard();
    const bodies = Array.from({ length: 175 }, () => bodyOf(320));
    bodies.forEach(({ stream }) => discard.start(stream));
    await allRead();
    const read = () => bodies.reduce((sum, body) => sum + body.read * CHUNK.length, 0);
    for (let interval = 1; interval <= 50; interval++) {
      // Each body may have read one chunk, and buffered another.
      expect(read()).toBeLessThanOrEqual(interval * BYTES_PER_INTERVAL + 2 * bodies.length * CHUNK.length);
      jest.advanceTimersByTime(100);
      await allRead();
    }
    expect(read()).toBeGreaterThan(40 * BYTES_PER_INTERVAL);
    const least = Math.min(...bodies.map((body) => body.read * CHUNK.length));
    expect(least).toBeGreaterThan(read() / bodies.length / 2);
  });

  it('reads each body to its end, and waits for none that was destroyed', async () => {
    const discard = new BodyDiscard();
    const bodies = Array.from({ length: 4 }, () => bodyOf(320));
    bodies.forEach(({ stream }) => discard.start(stream));
    await allRead();
    bodies[0]?.stream.destroy();
    for (let interval = 1; interval <= 10; interval++) {
      jest.advanceTimersByTime(100);
      await allRead();
    }
    expect(bodies.slice(1).map(({ stream }) => stream.readableEnded)).toStrictEqual([true, true, true]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
