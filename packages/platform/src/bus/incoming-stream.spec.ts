import { describe, expect, it } from '@jest/globals';
import type { Msg } from '@nats-io/transport-node';
import { IncomingStream } from './incoming-stream.js';
import { CANCEL, frameHeaders, QUIET_HEARTBEATS_MAX, WINDOW_BYTES, type FrameKind } from './stream-frames.js';

const frame = (sequence: number, kind: FrameKind, text = '') =>
  ({
    headers: frameHeaders(sequence, kind),
    reply: 'control',
    data: Buffer.from(text),
    string: () => text,
  }) as unknown as Msg;

function startStream() {
  const sent: string[] = [];
  const stream = new IncomingStream('sample', (subject, payload) => void sent.push(`${subject} ${payload}`));
  return { stream, sent };
}

const isUnavailable = { code: 'UNAVAILABLE', message: expect.stringMatching(/^The sample service/) };

describe('the stream of a caller', () => {
  it('breaks off when a frame is lost, repeated or out of order', async () => {
    const orders: [number, FrameKind][][] = [
      [[1, 'open']],
      [
        [0, 'open'],
        [2, 'item'],
      ],
      [
        [0, 'open'],
        [1, 'item'],
        [1, 'item'],
      ],
      [
        [0, 'open'],
        [1, 'alive'],
        [3, 'end'],
      ],
    ];
    for (const order of orders) {
      const { stream, sent } = startStream();
      for (const [sequence, kind] of order) stream.receive(frame(sequence, kind));
      await expect(stream.next()).rejects.toMatchObject(isUnavailable);
      stream.close();
      expect(sent).toStrictEqual([`control ${CANCEL}`]);
    }
  });

  it('breaks off after five heartbeats of silence, and not while the service shows that it lives', async () => {
    const { stream } = startStream();
    stream.receive(frame(0, 'open'));
    expect((await stream.next()).kind).toBe('open');
    for (let beat = 0; beat < QUIET_HEARTBEATS_MAX; beat++) stream.heartbeat();
    stream.receive(frame(1, 'alive'));
    for (let beat = 0; beat < QUIET_HEARTBEATS_MAX; beat++) stream.heartbeat();
    stream.receive(frame(2, 'item', 'x'));
    expect((await stream.next()).message.string()).toBe('x');
    const next = stream.next();
    for (let beat = 0; beat <= QUIET_HEARTBEATS_MAX; beat++) stream.heartbeat();
    await expect(next).rejects.toMatchObject(isUnavailable);
  });

  it('acknowledges what its reader has taken, not what has arrived, and shows at each heartbeat that it lives', async () => {
    const { stream, sent } = startStream();
    const text = 'x'.repeat(WINDOW_BYTES / 4);
    for (const [sequence, kind] of (['open', 'item', 'item'] as const).entries())
      stream.receive(frame(sequence, kind, text));
    expect((await stream.next()).kind).toBe('open');
    stream.heartbeat();
    await stream.next();
    stream.heartbeat();
    expect(sent).toStrictEqual(['control 0', `control ${text.length}`, `control ${text.length}`]);
  });

  it('is complete with its last frame, whatever happens afterwards', async () => {
    const { stream, sent } = startStream();
    for (const [sequence, kind] of (['open', 'item', 'end'] as const).entries()) stream.receive(frame(sequence, kind));
    stream.connectionLost();
    const read = [await stream.next(), await stream.next(), await stream.next()];
    expect(read.map(({ kind }) => kind)).toStrictEqual(['open', 'item', 'end']);
    stream.close();
    expect(sent).toStrictEqual([]);
  });
});
