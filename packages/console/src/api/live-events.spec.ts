import { expect, it } from '@jest/globals';
import { LiveEvents, type StreamState } from './live-events.js';

const tooMany = () =>
  Response.json({ error: 'Too many.', code: 'RATE_LIMITED' }, { status: 429, headers: { 'retry-after': '0' } });
const forbidden = () => Response.json({ error: 'No.', code: 'FORBIDDEN' }, { status: 403 });
/** A stream that stays open. */
const stream = () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });

/** What the pages know of a stream whose requests get these answers, until the last answer was given. */
async function statesWith(...answers: (() => Response)[]): Promise<StreamState[]> {
  let gave = () => {};
  const given = new Promise<void>((resolve) => (gave = resolve));
  const fetch = async () => {
    const answer = answers.shift() ?? stream;
    if (answers.length === 0) gave();
    return answer();
  };
  const events = new LiveEvents({ baseUrl: 'http://127.0.0.1', apiKey: 'none', fetch }, () => undefined);
  const states: StreamState[] = [];
  events.state.subscribe(() => states.push(events.state.get()));
  const stop = events.start();
  await given;
  await new Promise((resolve) => setTimeout(resolve));
  stop();
  return states;
}

it('pages read lists themselves while the key has too many open streams, until one is free', async () => {
  expect(await statesWith(tooMany, tooMany, stream)).toStrictEqual(['refused', 'refused', 'open']);
});

it('pages read lists themselves if the key may not receive events', async () => {
  expect((await statesWith(forbidden)).at(-1)).toBe('refused');
});
