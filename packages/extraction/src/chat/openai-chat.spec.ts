// Real: HTTP on loopback, with a server that speaks OpenAI's chat and misbehaves on request.
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { providerEndpoint } from '../remote/provider-endpoint.js';
import { ProviderHttp } from '../remote/provider-http.js';
import type { ChatAnswer, ChatQuestion } from './chat-model.js';
import { eventData } from './event-stream.js';
import { OpenAiChat } from './openai-chat.js';

const never = new AbortController().signal;
const QUESTION: ChatQuestion = {
  messages: [
    { role: 'system', content: 'Answer from the sources.' },
    { role: 'user', content: 'How hot is a kiln, überhaupt? 🔥' },
  ],
};
const ANSWER = 'You said: How hot is a kiln, überhaupt? 🔥';
const USAGE = { promptTokens: 5, answerTokens: ANSWER.split(' ').length };

describe('a chat model', () => {
  let server: ProviderServer;
  const http = new ProviderHttp();
  before(async () => {
    server = await startProviderServer();
  });
  afterEach(() => server.reset());
  after(async () => {
    await http.close();
    await server.close();
  });
  const chat = (deadlineMs = 60_000) =>
    new OpenAiChat({
      endpoint: providerEndpoint('chat', { baseUrl: `${server.url}/v1`, key: 'sk-secret' }),
      http,
      model: 'small-chat',
      deadlineMs,
    });
  async function streamed(model = chat(), signal = never): Promise<{ pieces: string[]; answer: ChatAnswer }> {
    const stream = model.stream(QUESTION, signal);
    const pieces: string[] = [];
    for (;;) {
      const next = await stream.next();
      if (next.done) return { pieces, answer: next.value };
      pieces.push(next.value);
    }
  }
  const sse = (...events: unknown[]) =>
    misbehaviour.text(
      events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''),
      'text/event-stream',
    );
  const delta = (content: string, finish: string | null = null) => ({
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  });

  it('gives its answer whole, with what it has used', async () => {
    const question = { ...QUESTION, tokensMax: 200, temperature: 0 };
    assert.deepEqual(await chat().complete(question, never), { text: ANSWER, isWhole: true, usage: USAGE });
    const [asked] = server.requests;
    assert.equal(asked?.headers.authorization, 'Bearer sk-secret');
    assert.deepEqual(asked.json, { model: 'small-chat', messages: QUESTION.messages, max_tokens: 200, temperature: 0 });
  });

  it('gives it piece by piece, and in the end the same', async () => {
    const { pieces, answer } = await streamed();
    assert.deepEqual(answer, { text: ANSWER, isWhole: true, usage: USAGE });
    assert.equal(pieces.join(''), ANSWER);
    assert.equal(pieces.length, USAGE.answerTokens);
    assert.deepEqual(server.requests[0]?.json['stream_options'], { include_usage: true });
  });

  it('says when the answer was cut off at a limit', async () => {
    server.next(
      misbehaviour.json({ choices: [{ message: { content: 'So' }, finish_reason: 'length' }] }),
      sse(delta('So'), delta('', 'length'), '[DONE]'),
    );
    assert.deepEqual(await chat().complete(QUESTION, never), { text: 'So', isWhole: false, usage: null });
    assert.equal((await streamed()).answer.isWhole, false);
  });

  it('takes an answer for whole only when it has ended: by its mark, or by its last piece', async () => {
    server.next(sse(delta('So it is.', 'stop')));
    assert.equal((await streamed()).answer.text, 'So it is.');
    server.next(sse(delta('So it')));
    await assert.rejects(streamed(), { fault: 'unreachable', transient: true });
  });

  it('tells of every way in which a provider fails, before and in the middle of its answer', async () => {
    const cases: [Parameters<ProviderServer['next']>[0], string][] = [
      [misbehaviour.status(401), 'unauthorized'],
      [misbehaviour.status(429, { 'retry-after': '9' }), 'rate_limited'],
      [misbehaviour.status(500), 'server_error'],
      [misbehaviour.reset, 'unreachable'],
      [misbehaviour.breakOff, 'unreachable'],
    ];
    for (const [behaviour, fault] of cases) {
      server.next(behaviour, behaviour);
      await assert.rejects(chat().complete(QUESTION, never), { fault });
      await assert.rejects(streamed(), { fault });
    }
    server.next(
      misbehaviour.json({ choices: [] }),
      sse(delta('So'), 'no JSON'),
      sse(delta('So'), { error: { message: 'x' } }),
    );
    await assert.rejects(chat().complete(QUESTION, never), { fault: 'malformed' });
    await assert.rejects(streamed(), { fault: 'malformed' });
    await assert.rejects(streamed(), { fault: 'server_error' });
    server.next(misbehaviour.hang, misbehaviour.trickle);
    await assert.rejects(chat(50).complete(QUESTION, never), { fault: 'timeout' });
    await assert.rejects(streamed(chat(50)), { fault: 'timeout' });
    server.next(misbehaviour.text(`data: ${'x'.repeat(2_000_000)}`, 'text/event-stream'));
    await assert.rejects(streamed(), { fault: 'malformed' });
  });

  it('closes the connection as soon as nobody reads on, and ends with the reason of an abort', async () => {
    const left = new Promise<void>((resolve) => {
      server.next((response) => {
        response.on('close', resolve);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(delta('So'))}\n\n`);
      });
    });
    for await (const piece of chat().stream(QUESTION, never)) {
      assert.equal(piece, 'So');
      break;
    }
    await left;
    const abort = new AbortController();
    server.next(() => abort.abort(new Error('the caller has gone')));
    await assert.rejects(streamed(chat(), abort.signal), /the caller has gone/);
  });
});

it('events are read the same however the network cuts them, and whatever ends their lines', async () => {
  const data = fc.stringMatching(/^[a-zé🔥 ]{1,20}$/u);
  const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 20 });
  const lineEnds = fc.constantFrom('\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(fc.array(data, { maxLength: 6 }), cuts, lineEnds, async (events, cuts, end) => {
      const bytes = Buffer.from(
        `: hello${end}${events.map((event) => `id: 1${end}data: ${event}${end}${end}`).join('')}`,
      );
      const chunks = async function* () {
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = cuts[turn % cuts.length] ?? 1;
          yield bytes.subarray(at, at + size);
          at += size;
        }
      };
      const read: string[] = [];
      for await (const event of eventData(chunks())) read.push(event);
      assert.deepEqual(read, events);
    }),
    { numRuns: 500 },
  );
});
