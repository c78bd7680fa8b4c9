// Real: HTTP on loopback, with a server that speaks OpenAI's chat and misbehaves on request.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { providerEndpoint } from '../http/provider-endpoint.js';
import { ProviderHttp } from '../http/provider-http.js';
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
  beforeAll(async () => {
    server = await startProviderServer();
  });
  afterEach(() => server.reset());
  afterAll(async () => {
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

  it('returns a complete answer with its token usage', async () => {
    const question = { ...QUESTION, tokensMax: 200, temperature: 0 };
    expect(await chat().complete(question, never)).toStrictEqual({ text: ANSWER, isWhole: true, usage: USAGE });
    const [asked] = server.requests;
    expect(asked?.headers.authorization).toBe('Bearer sk-secret');
    expect(asked?.json).toStrictEqual({
      model: 'small-chat',
      messages: QUESTION.messages,
      max_tokens: 200,
      temperature: 0,
    });
  });

  it('streams the answer in pieces, with the same result at the end', async () => {
    const { pieces, answer } = await streamed();
    expect(answer).toStrictEqual({ text: ANSWER, isWhole: true, usage: USAGE });
    expect(pieces.join('')).toBe(ANSWER);
    expect(pieces).toHaveLength(USAGE.answerTokens);
    expect(server.requests[0]?.json['stream_options']).toStrictEqual({ include_usage: true });
  });

  it('reports when the answer was truncated at a limit, or a streamed one by a filter', async () => {
    server.next(
      misbehaviour.json({ choices: [{ message: { content: 'So' }, finish_reason: 'length' }] }),
      sse(delta('So'), delta('', 'length'), '[DONE]'),
      sse(delta('So'), delta('', 'content_filter'), '[DONE]'),
    );
    expect(await chat().complete(QUESTION, never)).toStrictEqual({ text: 'So', isWhole: false, usage: null });
    expect((await streamed()).answer.isWhole).toBe(false);
    expect((await streamed()).answer.isWhole).toBe(false);
  });

  it('asks a model that refuses max_tokens and temperature in its own terms, and remembers them', async () => {
    const refuse = (error: object, status = 400) => misbehaviour.status(status, {}, { error });
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    server.next(
      refuse({ message, param: 'max_tokens', code: 'unsupported_parameter' }),
      refuse({
        message: "'temperature' does not support 0 with this model.",
        param: 'temperature',
        code: 'unsupported_value',
      }),
    );
    const question = { ...QUESTION, tokensMax: 200, temperature: 0 };
    const own = new ProviderHttp();
    const endpoint = providerEndpoint('chat', { baseUrl: `${server.url}/v1`, key: 'sk-secret' });
    const chatOf = (model: string) => new OpenAiChat({ endpoint, http: own, model, deadlineMs: 60_000 });
    const ask = (model: string) => chatOf(model).complete(question, never);
    expect(chatOf('renamed').answerTokensMax(question)).toBe(200);
    expect((await ask('renamed')).text).toBe(ANSWER);
    expect(chatOf('renamed').answerTokensMax(question)).toBe(4_200);
    expect(chatOf('other').answerTokensMax(question)).toBe(200);
    expect((await ask('renamed')).text).toBe(ANSWER);
    await ask('other');
    const asked = server.requests.map(({ json: { max_tokens, max_completion_tokens, temperature } }) => [
      max_tokens,
      max_completion_tokens,
      temperature,
    ]);
    const inItsTerms = [undefined, 4_200, undefined];
    expect(asked).toStrictEqual([
      [200, undefined, 0],
      [undefined, 4_200, 0],
      inItsTerms,
      inItsTerms,
      [200, undefined, 0],
    ]);
    server.next(refuse({ message: 'max_tokens is too large: 9000', param: 'max_tokens', code: 'invalid_value' }));
    await expect(ask('third')).rejects.toMatchObject({ fault: 'refused' });
    await own.close();
  });

  it('keeps the terms of a model that refuses a limit as too large, also if it names both parameters', async () => {
    // The words of vLLM.
    const message =
      "'max_tokens' or 'max_completion_tokens' is too large: 700. This model's maximum context length is 8192 tokens and your request has 7600 input tokens (700 > 8192 - 7600).";
    const question = { ...QUESTION, tokensMax: 700 };
    server.next(misbehaviour.status(400, {}, { error: { message, type: 'BadRequestError', code: 400 } }));
    await expect(chat().complete(question, never)).rejects.toMatchObject({ fault: 'refused' });
    await chat().complete(question, never);
    expect(server.requests.map(({ json }) => json['max_tokens'])).toStrictEqual([700, 700]);
  });

  it('learns the terms of a model before the first piece of a streamed answer', async () => {
    server.next(misbehaviour.status(400, {}, { detail: 'max_tokens is unsupported, use max_completion_tokens' }));
    const own = new ProviderHttp();
    const endpoint = providerEndpoint('chat', { baseUrl: `${server.url}/v1`, key: null });
    const stream = new OpenAiChat({ endpoint, http: own, model: 'm', deadlineMs: 60_000 }).stream(
      { ...QUESTION, tokensMax: 9 },
      never,
    );
    const pieces: string[] = [];
    for await (const piece of stream) pieces.push(piece);
    expect(pieces.join('')).toBe(ANSWER);
    await own.close();
  });

  it('reports a model that ended without a whole answer, at a limit, by a filter or by itself', async () => {
    const whole = (content: string | null, finish: string) =>
      misbehaviour.json({ choices: [{ message: { content }, finish_reason: finish }] });
    const wordless = [
      whole(null, 'length'),
      whole('', 'length'),
      whole('', 'content_filter'),
      whole(null, 'content_filter'),
      whole('The first half of', 'content_filter'),
      whole(null, 'stop'),
    ];
    for (const behaviour of wordless) {
      server.next(behaviour);
      await expect(chat().complete(QUESTION, never)).rejects.toMatchObject({ fault: 'wordless' });
    }
    const streams = [
      sse(delta(' '), delta('', 'length'), '[DONE]'),
      sse(delta('', 'length')),
      sse(delta('', 'stop'), '[DONE]'),
      sse(delta('', 'content_filter')),
      sse(delta(' \n'), '[DONE]'),
      sse('[DONE]'),
    ];
    for (const behaviour of streams) {
      server.next(behaviour);
      await expect(streamed()).rejects.toMatchObject({ fault: 'wordless' });
    }
  });

  it('may find no words where it was asked for those of a picture', async () => {
    server.next(misbehaviour.json({ choices: [{ message: { content: '' }, finish_reason: 'stop' }] }));
    expect((await chat().complete(QUESTION, never)).text).toBe('');
  });

  it('treats a streamed answer as complete only after its end mark or its last piece', async () => {
    server.next(sse(delta('So it is.', 'stop')));
    expect((await streamed()).answer.text).toBe('So it is.');
    server.next(sse(delta('So it')));
    await expect(streamed()).rejects.toMatchObject({ fault: 'unreachable', transient: true });
  });

  it('reports every kind of failure of a provider, before and during the answer', async () => {
    const cases: [Parameters<ProviderServer['next']>[0], string][] = [
      [misbehaviour.status(401), 'unauthorized'],
      [misbehaviour.status(429, { 'retry-after': '9' }), 'rate_limited'],
      [misbehaviour.status(500), 'server_error'],
      [misbehaviour.reset, 'unreachable'],
      [misbehaviour.breakOff, 'unreachable'],
    ];
    for (const [behaviour, fault] of cases) {
      server.next(behaviour, behaviour);
      await expect(chat().complete(QUESTION, never)).rejects.toMatchObject({ fault });
      await expect(streamed()).rejects.toMatchObject({ fault });
    }
    server.next(
      misbehaviour.json({ choices: [] }),
      sse(delta('So'), 'no JSON'),
      sse(delta('So'), { error: { message: 'x' } }),
    );
    await expect(chat().complete(QUESTION, never)).rejects.toMatchObject({ fault: 'malformed' });
    await expect(streamed()).rejects.toMatchObject({ fault: 'malformed' });
    await expect(streamed()).rejects.toMatchObject({ fault: 'server_error' });
    server.always(misbehaviour.hang);
    await expect(chat(50).complete(QUESTION, never)).rejects.toMatchObject({ fault: 'timeout' });
    server.always(misbehaviour.trickle);
    await expect(streamed(chat(50))).rejects.toMatchObject({ fault: 'timeout' });
    server.always(misbehaviour.text(`data: ${'x'.repeat(2_000_000)}`, 'text/event-stream'));
    await expect(streamed()).rejects.toMatchObject({ fault: 'malformed' });
  });

  it('closes the connection when the reader stops, and rejects with the reason of an abort', async () => {
    const left = new Promise<void>((resolve) => {
      server.next((response) => {
        response.on('close', resolve);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(delta('So'))}\n\n`);
      });
    });
    for await (const piece of chat().stream(QUESTION, never)) {
      expect(piece).toBe('So');
      break;
    }
    await left;
    const abort = new AbortController();
    server.next(() => abort.abort(new Error('the caller has gone')));
    await expect(streamed(chat(), abort.signal)).rejects.toThrow(/the caller has gone/);
  });
});

it('events are parsed alike however the network splits them, with any line ends', async () => {
  const data = fc.stringMatching(/^[a-zé🔥 ]{1,20}$/u);
  const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 20 });
  const lineEnds = fc.constantFrom('\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(fc.array(data, { maxLength: 6 }), cuts, lineEnds, async (events, cuts, end) => {
      const bytes = Buffer.from(
        `: hello${end}${events.map((event) => `id: 1${end}data: ${event}${end}${end}`).join('')}`,
      );
      const chunks = async function* () {
        for (let at = 0, count = 0; at < bytes.length; count++) {
          const size = cuts[count % cuts.length] ?? 1;
          yield bytes.subarray(at, at + size);
          at += size;
        }
      };
      const read: string[] = [];
      for await (const event of eventData(chunks())) read.push(event);
      expect(read).toStrictEqual(events);
    }),
    { numRuns: 500, seed: testSeed() },
  );
});
