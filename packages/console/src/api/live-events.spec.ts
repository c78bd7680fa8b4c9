import { expect, it } from '@jest/globals';
import { LiveEvents, type StreamState } from './live-events.js';

const tooMany = () =>
  Response.json({ error: 'Too many.', code: 'RATE_LIMITED' }, { status: 429, headers: { 'retry-after': '0' } });
const forbidden = () => Response.json({ error: 'No.', code: 'FORBIDDEN' }, { status: 403 });
/** A stream that stays open. */
const stream = () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });

/** Returns the state of the stream after each of these answers. */
async function statesWith(...answers: (() => Response)[]): Promise<StreamState[]> {
  const count = answers.length;
  const fetch = async () => (answers.shift() ?? stream)();
  const events = new LiveEvents({ baseUrl: 'http://127.0.0.1', apiKey: 'none', fetch }, () => undefined);
  const states: StreamState[] = [];
  let stop = () => {};
  await new Promise<void>((resolve) => {
    events.state.subscribe(() => {
      states.push(events.state.get());
      if (states.length === count) resolve();
    });
    stop = events.start();
  });
  stop();
  return states;
}

it('pages read lists themselves while the key has too many open streams, until one is free', async () => {
  expect(await statesWith(tooMany, tooMany, stream)).toStrictEqual(['refused', 'refused', 'open']);
});

it('pages read lists themselves if the key may not receive events', async () => {
  expect(await statesWith(forbidden)).toStrictEqual(['refused']);
});
