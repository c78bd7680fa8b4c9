// Real: gateway processes, Postgres, NATS, Redis, object store. FAKES: the search service (a responder on the real bus, see
// test/fake-services.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NO_SOURCES, searchOperations, unavailable, type AnswerEnding } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import type { StreamContext } from '@kiln/platform';
import { once } from 'node:events';
import { exampleAnswer } from '../routes/shared.examples.js';
import { GatewayProcess, TEST_KEY } from '../test/gateway-process.js';
import { ServedGateway } from '../test/served-gateway.js';

const { answer } = searchOperations;
const { answer: _answer, question: _question, ...example } = exampleAnswer;
const ending = example as AnswerEnding;

async function* answering() {
  yield { content: 'In ' };
  yield { content: 'writing [1].' };
  return ending;
}

/** Yields the parts, then waits until the work is cancelled. */
const until = (onAbort: () => void, parts: readonly string[] = ['In ']) =>
  async function* waiting({ signal }: StreamContext) {
    for (const content of parts) yield { content };
    await once(signal, 'abort');
    onAbort();
    throw signal.reason;
  };

describe('answers to questions', () => {
  let gateway: ServedGateway;
  beforeAll(async () => {
    gateway = await ServedGateway.start();
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.stop());

  const question = 'How is a contract terminated?';
  /** `fetch` returns while the body still arrives. */
  const ask = (
    body: object,
    { from = gateway.process, path = '/v1/qa', headers = {}, signal = new AbortController().signal } = {},
  ) =>
    fetch(`${from.url}${path}`, {
      method: 'POST',
      body: JSON.stringify({ question, ...body }),
      headers: { authorization: `ApiKey ${TEST_KEY}`, 'content-type': 'application/json', ...headers },
      signal,
    });
  const eventsOf = (text: string): unknown[] =>
    text
      .trim()
      .split('\n\n')
      .map((line) => line.slice('data: '.length))
      .map((data) => (data === '[DONE]' ? data : JSON.parse(data)) as unknown);
  const inputs = () => gateway.fakes.callsOf(answer).map(({ input }) => input);

  it('are returned whole, with their sources', async () => {
    gateway.fakes.overrideStream(answer, answering);
    const response = await ask({});
    expect(await gateway.responses.check('POST', '/v1/qa', response)).toStrictEqual({
      answer: 'In writing [1].',
      question,
      ...ending,
    });
    expect(response.headers.get('ratelimit-limit')).toBeTruthy();
    expect(inputs()).toStrictEqual([{ question, top_k: 5 }]);
  });

  it('use at most top_k sources, also spelled topK, of one space or of all', async () => {
    for (const body of [{ top_k: 3, space: 'a' }, { topK: 10 }, { top_k: 2, topK: 2 }]) await ask(body);
    expect(inputs().map(({ top_k, space }) => [top_k, space])).toStrictEqual([
      [3, 'a'],
      [10, undefined],
      [2, undefined],
    ]);
    for (const [body, problem] of [
      [{ question: ' ' }, /^question must not be empty/],
      [{ question: undefined }, /^question /],
      [{ top_k: 11 }, /^top_k must be a whole number from 1 to 10/],
      [{ topK: 0 }, /^topK must be/],
      [{ top_k: 1, topK: 2 }, /^topK must equal top_k/],
      [{ stream: 'yes' }, /^stream /],
      [{ max_tokens: 15 }, /^max_tokens /],
      [{ answer_format: { type: 'xml' } }, /^answer_format\.type /],
      [
        { answer_format: { type: 'json', schema: { type: 'object', $ref: '#' } } },
        /^answer_format\.schema has keywords/,
      ],
      [{ model: '' }, /^model /],
      [{ filter: { title: { eq: 'a' } } }, /^filter\.title is not a field/],
      [{ metadata: { a: 1 } }, /^metadata/],
      [{ history: [{ role: 'system', content: 'x' }] }, /^history\[0\]\.role /],
      [{ history: [{ role: 'user', content: 'x'.repeat(8_001) }] }, /^history\[0\]\.content must be at most 8,000/],
      [
        { history: Array.from({ length: 21 }, () => ({ role: 'user', content: 'x' })) },
        /^history must have at most 20/,
      ],
    ] as const) {
      const { code, error } = await gateway.responses.check('POST', '/v1/qa', await ask(body));
      expect([code, error]).toStrictEqual(['BAD_REQUEST', expect.stringMatching(problem)]);
    }
  });

  it('are asked for with the options of the request', async () => {
    const options = {
      content_type: 'text/plain',
      metadata: { department: 'legal' },
      filter: { 'metadata.year': { gte: 2020 } },
      history: [{ role: 'user', content: 'Hello' }],
      model: 'large',
      max_tokens: 100,
      answer_format: { type: 'json', schema: { type: 'object', properties: { days: { type: 'integer' } } } },
    };
    await ask({ ...options, unknown: true });
    expect(inputs()).toStrictEqual([{ question, top_k: 5, ...options }]);
  });

  it('are streamed as events, with both end markers', async () => {
    gateway.fakes.overrideStream(answer, answering);
    const response = await ask({ stream: true });
    expect([response.status, response.headers.get('content-type')]).toStrictEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect(eventsOf(await response.text())).toStrictEqual([
      { type: 'chunk', content: 'In ' },
      { type: 'chunk', content: 'writing [1].' },
      { type: 'sources', ...ending },
      { type: 'done' },
      '[DONE]',
    ]);
  });

  it('say that their end is missing, streamed or not', async () => {
    gateway.fakes.overrideStream(answer, async function* cut() {
      yield { content: 'In ' };
      return { ...ending, truncated: true as const };
    });
    expect(await gateway.responses.check('POST', '/v1/qa', await ask({}))).toMatchObject({
      answer: 'In ',
      truncated: true,
    });
    expect(eventsOf(await (await ask({ stream: true })).text())).toContainEqual({
      type: 'sources',
      ...ending,
      truncated: true,
    });
  });

  it('arrive part by part', async () => {
    let proceed = () => undefined as void;
    const gate = new Promise<void>((resolve) => (proceed = resolve));
    gateway.fakes.overrideStream(answer, async function* gated() {
      yield { content: 'In ' };
      await gate;
      return NO_SOURCES;
    });
    const reader = (await ask({ stream: true })).body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe('data: {"type":"chunk","content":"In "}\n\n');
    proceed();
    while (!(await reader?.read())?.done);
  });

  it('that fail before their first part are ordinary errors, streamed or not', async () => {
    // eslint-disable-next-line require-yield -- it fails before
    gateway.fakes.overrideStream(answer, async function* failing() {
      throw unavailable('The chat model');
    });
    for (const stream of [true, false]) {
      const response = await ask({ stream });
      expect(response.headers.get('retry-after')).toBe('1');
      const { code, error } = await gateway.responses.check('POST', '/v1/qa', response);
      expect([response.status, code, error]).toStrictEqual([
        503,
        'UNAVAILABLE',
        'The chat model is not available right now. Retry in a moment.',
      ]);
    }
  });

  it('that break off end with the error, which is logged', async () => {
    gateway.fakes.overrideStream(answer, async function* breaking() {
      yield { content: 'In ' };
      throw unavailable('The chat model');
    });
    const response = await ask({ stream: true }, { headers: { 'x-request-id': 'broken-answer' } });
    const error = 'The chat model is not available right now. Retry in a moment.';
    expect(eventsOf(await response.text())).toStrictEqual([
      { type: 'chunk', content: 'In ' },
      { type: 'error', error, code: 'UNAVAILABLE', requestId: 'broken-answer' },
    ]);
    await eventually(() => {
      const lines = gateway.process.logs.filter(({ requestId }) => requestId === 'broken-answer');
      expect(lines.map(({ msg, status }) => [msg, status])).toStrictEqual([
        ['Response broke off', undefined],
        ['request', 200],
      ]);
      return true;
    });
  });

  it('are cancelled when the caller leaves, streamed or not, before or after the first part', async () => {
    for (const [stream, parts] of [
      [true, ['In ']],
      [true, []],
      [false, ['In ']],
    ] as const) {
      let onAbort = () => undefined as void;
      const aborted = new Promise<void>((resolve) => (onAbort = resolve));
      gateway.fakes.reset();
      gateway.fakes.overrideStream(answer, until(onAbort, parts));
      const leave = new AbortController();
      const id = `left-${stream}-${parts.length}`;
      const response = ask({ stream }, { signal: leave.signal, headers: { 'x-request-id': id } });
      response.catch(() => undefined);
      await eventually(() => gateway.fakes.callsOf(answer).length === 1);
      if (stream && parts.length > 0) await response;
      leave.abort();
      await aborted;
      await eventually(() => gateway.process.logs.some(({ requestId, status }) => requestId === id && status === 499));
      expect(
        gateway.process.logs.filter(({ requestId, level }) => requestId === id && level === 'error'),
      ).toStrictEqual([]);
    }
  });

  it('of a portal come from its own space, whatever space the request names', async () => {
    const created = await gateway.process.post('/v1/portal/tokens', { space: 'mine' });
    const { token } = (await created.json()) as { token: string };
    const portal = { path: '/v1/portal/qa', headers: { authorization: `PortalToken ${token}` } };
    gateway.fakes.overrideStream(answer, answering);
    const whole = await gateway.responses.check(
      'POST',
      '/v1/portal/qa',
      await ask({ space: 'other', model: 'large' }, portal),
    );
    expect(whole['sources']).toStrictEqual(ending.sources);
    const streamed = await ask({ space: 'other', stream: true }, portal);
    expect(eventsOf(await streamed.text())).toHaveLength(5);
    expect(inputs().map(({ space, model }) => [space, model])).toStrictEqual([
      ['mine', undefined],
      ['mine', undefined],
    ]);
    const other = await ask({}, { ...portal, headers: { authorization: `PortalToken ${token}x` } });
    expect(other.status).toBe(401);
  });

  it('are kept for an Idempotency-Key, unless they are streamed', async () => {
    gateway.fakes.overrideStream(answer, answering);
    for (const [stream, calls] of [
      [false, 1],
      [true, 2],
    ] as const) {
      gateway.fakes.calls.length = 0;
      const headers = { 'idempotency-key': `question-${stream}` };
      const texts = [];
      for (let time = 0; time < 2; time++) texts.push(await (await ask({ stream }, { headers })).text());
      expect(texts[1]).toBe(texts[0]);
      expect(inputs()).toHaveLength(calls);
    }
  });

  it('are finished by a gateway that stops', async () => {
    const from = await GatewayProcess.start(gateway.surroundings);
    let proceed = () => undefined as void;
    const gate = new Promise<void>((resolve) => (proceed = resolve));
    gateway.fakes.overrideStream(answer, async function* gated() {
      yield { content: 'In ' };
      await gate;
      return NO_SOURCES;
    });
    const finished = await ask({ stream: true }, { from });
    const ended = from.stop();
    proceed();
    expect(eventsOf(await finished.text()).at(-1)).toBe('[DONE]');
    expect(await ended).toBe(0);
  });

  it('are cut and cancelled by a gateway that stops when they take too long', async () => {
    const from = await GatewayProcess.start(gateway.surroundings, { KILN_DRAIN_SECONDS: '1' });
    let onAbort = () => undefined as void;
    const aborted = new Promise<void>((resolve) => (onAbort = resolve));
    gateway.fakes.overrideStream(answer, until(onAbort));
    const cut = await ask({ stream: true }, { from });
    const ended = from.stop();
    await expect(cut.text()).rejects.toThrow();
    await aborted;
    expect(await ended).toBe(0);
  });
});
