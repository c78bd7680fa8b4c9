// Questions and answers: from sentences of the files where no chat model is configured, and from a chat model on loopback.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { randomUUID } from 'node:crypto';
import { startChatModel, type ChatModel } from './support/chat-model.js';
import { allEvents, streamedEvents } from './support/event-stream.js';
import { bodyOf, KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const QUESTION = 'How long is the warranty of the Zephyr turbine?';
const WARRANTY = 'The warranty of the Zephyr turbine is ten years.';
const TEXT = `# Zephyr\n\nIt runs in light winds.\n\n${WARRANTY}\n\nIt weighs nine tonnes.\n`;
const SAID = 'The warranty is ten years [1].';
const UNRELATED = 'Who painted the ceiling of the chapel?';

interface AnswerBody {
  answer: string;
  question: string;
  sources: {
    citation: number;
    file_id: string;
    fileId: string;
    filename: string;
    snippet: string;
    start: number;
    end: number;
  }[];
  citations: { citation: number; position: number; quote: { text: string; start: number; end: number } | null }[];
  omitted_statements: number;
}

const store = async (client: KilnClient, space: string, text = TEXT, filename = 'zephyr.md') => {
  const { id, job_id: jobId } = bodyOf(await client.upload(filename, text, { space }), 201);
  expect((await client.waitForJob(jobId)).status).toBe('completed');
  return id;
};

const ask = async (client: KilnClient, body: object) =>
  bodyOf(await client.post<AnswerBody>('/v1/qa', { question: QUESTION, ...body }), 200);

/** Returns with the headers, while the events arrive. */
const askStreaming = (
  client: KilnClient,
  body: object,
  { path = '/v1/qa', authorization = `ApiKey ${client.apiKey}`, signal = new AbortController().signal } = {},
) =>
  fetch(`${client.baseUrl}${path}`, {
    method: 'POST',
    body: JSON.stringify({ question: QUESTION, stream: true, ...body }),
    headers: { authorization, 'content-type': 'application/json' },
    signal,
  });

const endingOf = ({ answer: _answer, question: _question, ...ending }: AnswerBody) => ({ type: 'sources', ...ending });

const contentOf = (events: readonly unknown[]) =>
  events.map((event) => (event as { content?: string }).content ?? '').join('');

describe('answers without a chat model', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  const space = `answers-${randomUUID()}`;
  let fileId: string;
  beforeAll(async () => {
    system = await systemUnderTest();
    // Scores depend on all texts of an organization, and other specs upload at the same time.
    client = await system.newClient();
    fileId = await store(client, space);
  });
  afterAll(() => system.stop());

  it('quote the file, and cite it with the place of the text', async () => {
    const { answer, question, sources, citations } = await ask(client, { space });
    expect([answer, question]).toStrictEqual([`${WARRANTY} [1]`, QUESTION]);
    const [source, ...others] = sources;
    expect(others).toStrictEqual([]);
    expect(source).toMatchObject({ citation: 1, file_id: fileId, fileId, filename: 'zephyr.md' });
    expect(source?.snippet).toMatch(/The <mark>warranty<\/mark> of the <mark>Zephyr<\/mark> <mark>turbine<\/mark>/);
    const markdown = await client.markdown(fileId);
    expect(markdown.slice(source?.start, source?.end)).toContain(WARRANTY);
    const [citation] = citations;
    expect(answer.slice(citation?.position)).toBe('[1]');
    expect(citation?.quote?.text).toBe(WARRANTY);
    expect(markdown.slice(citation?.quote?.start, citation?.quote?.end)).toBe(WARRANTY);
  });

  it('are streamed with the same text and sources, and both end markers', async () => {
    const whole = await ask(client, { space });
    const response = await askStreaming(client, { space });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = await allEvents(response);
    expect(contentOf(events)).toBe(whole.answer);
    expect(events.slice(-3)).toStrictEqual([endingOf(whole), { type: 'done' }, '[DONE]']);
  });

  it('say that the files do not answer, whole or streamed', async () => {
    const { answer, sources } = await ask(client, { space, question: UNRELATED });
    expect([answer, sources]).toStrictEqual(['The files do not contain an answer to this question.', []]);
    const events = await allEvents(await askStreaming(client, { space, question: UNRELATED }));
    expect(events).toStrictEqual([
      { type: 'chunk', content: answer },
      { type: 'sources', sources: [], citations: [], omitted_statements: 0, model: null, usage: null },
      { type: 'done' },
      '[DONE]',
    ]);
  });

  it('never come from another space or another tenant, nor from a file that was just deleted', async () => {
    expect((await ask(client, { space: `${space}-other` })).sources).toStrictEqual([]);
    const key = bodyOf(await client.post<{ key: string }>('/v1/org/api-keys', { name: 'answers', mode: 'test' }), 201);
    const stranger = await KilnClient.of(client.baseUrl, key.key);
    expect((await ask(stranger, { space })).sources).toStrictEqual([]);
    const own = await store(client, `${space}-deleted`);
    expect((await ask(client, { space: `${space}-deleted` })).sources).toHaveLength(1);
    await client.request('DELETE', `/v1/files/${own}`);
    expect((await ask(client, { space: `${space}-deleted` })).sources).toStrictEqual([]);
  });

  it('of a portal come from the space of its token, whatever the request names', async () => {
    const other = `${space}-portal`;
    const inOther = await store(client, other, 'The warranty of the Zephyr turbine is two days.\n');
    const { token } = bodyOf(await client.post<{ token: string }>('/v1/portal/tokens', { space: other }), 201);
    const authorization = `PortalToken ${token}`;
    const json = { question: QUESTION, space };
    const whole = await client.request<AnswerBody>('POST', '/v1/portal/qa', { json, headers: { authorization } });
    expect(whole.body.answer).toBe('The warranty of the Zephyr turbine is two days. [1]');
    expect(whole.body.sources.map(({ file_id: id }) => id)).toStrictEqual([inOther]);
    const events = await allEvents(await askStreaming(client, { space }, { path: '/v1/portal/qa', authorization }));
    expect(contentOf(events)).toBe(whole.body.answer);
    const withKey = await client.request('POST', '/v1/portal/qa', { json });
    expect(withKey.status).toBe(401);
  });
});

describe('answers of a chat model', () => {
  let system: RunningSystem;
  let client: KilnClient;
  let model: ChatModel;
  const space = 'turbines';
  let fileId: string;
  beforeAll(async () => {
    model = await startChatModel();
    system = await startSystem({
      environment: { KILN_CHAT_URL: model.url, KILN_CHAT_KEY: 'sk-managed', KILN_CHAT_MODEL: 'small-chat, large-chat' },
    });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
    fileId = await store(client, space);
  });
  beforeEach(() => void (model.asked.length = 0));
  afterAll(async () => {
    await system.stop();
    await model.close();
  });

  it('are written from the files only, and cite only them', async () => {
    model.say(['The warranty is ten ', 'years ', '[1', ']', ' [9]. Penguins live at', ' the south pole [1].']);
    const whole = await ask(client, { space });
    const { answer, sources, citations } = whole;
    expect([answer, whole.omitted_statements]).toStrictEqual(['The warranty is ten years [1].', 1]);
    expect(citations.map(({ quote }) => quote?.text)).toStrictEqual([WARRANTY]);
    expect(sources.map(({ file_id: id }) => id)).toStrictEqual([fileId]);
    const [asked] = model.asked;
    expect(asked?.headers.authorization).toBe('Bearer sk-managed');
    expect(asked?.messages.at(-1)).toContain(WARRANTY);
    const events = await allEvents(await askStreaming(client, { space }));
    expect(contentOf(events)).toBe(answer);
    expect(events.slice(-3)).toStrictEqual([endingOf(whole), { type: 'done' }, '[DONE]']);
  });

  it('follow a conversation, and are written by the model that the question names', async () => {
    model.sayEach([QUESTION], [SAID]);
    const history = [{ role: 'user', content: 'Tell me about the Zephyr.' }];
    const asked = { space, question: 'How long is its warranty?', history, model: 'large-chat', max_tokens: 50 };
    expect(await ask(client, asked)).toMatchObject({ answer: SAID, rewritten_question: QUESTION, model: 'large-chat' });
    expect(model.asked.map(({ body }) => [body['model'], body['max_tokens']])).toStrictEqual([
      ['large-chat', 300],
      ['large-chat', 50],
    ]);
    const other = await client.post<{ error: string }>('/v1/qa', { ...asked, model: 'huge-chat' });
    expect([other.status, other.body.error]).toStrictEqual([400, 'model must be one of: small-chat, large-chat.']);
  });

  it('are JSON that matches the schema of the question', async () => {
    model.say([JSON.stringify({ answer: { warranty_years: 10, color: 'green' } })]);
    const schema = { type: 'object', properties: { warranty_years: { type: 'integer' }, color: { type: 'string' } } };
    const answered = await ask(client, { space, answer_format: { type: 'json', schema } });
    expect(answered).toMatchObject({ json: { warranty_years: 10, color: 'green' }, unsupported: ['/color'] });
    expect(JSON.parse(answered.answer)).toStrictEqual({ warranty_years: 10, color: 'green' });
    expect(answered.citations).toMatchObject([{ pointer: '/warranty_years', quote: { text: WARRANTY } }]);
  });

  it('follow the instructions of the organization', async () => {
    model.say([SAID]);
    const wish = 'Answer in one short sentence.';
    await client.request('PUT', '/v1/org/settings', { json: { answer_instructions: wish } });
    await eventually(async () => {
      model.asked.length = 0;
      await ask(client, { space });
      expect(model.asked[0]?.messages[0]).toContain(wish);
    });
    await client.request('PUT', '/v1/org/settings', { json: { answer_instructions: null } });
  });

  it('are not asked for when no file is relevant', async () => {
    expect((await ask(client, { space, question: UNRELATED })).sources).toStrictEqual([]);
    expect(model.asked).toStrictEqual([]);
  });

  it("are asked for with the organization's own key once it is stored", async () => {
    model.say([SAID]);
    await client.request('PUT', '/v1/org/provider-keys', { json: { provider: 'chat', key: 'sk-of-the-organization' } });
    const test = await client.post<{ ok: boolean }>('/v1/org/provider-keys/chat/test', {});
    expect([test.status, test.body.ok]).toStrictEqual([200, true]);
    expect(model.asked[0]?.headers.authorization).toBe('Bearer sk-of-the-organization');
    await eventually(async () => {
      model.asked.length = 0;
      await ask(client, { space });
      expect(model.asked[0]?.headers.authorization).toBe('Bearer sk-of-the-organization');
    });
    await client.request('DELETE', '/v1/org/provider-keys/chat');
  });

  it('are cancelled at the model when the caller leaves', async () => {
    model.say([`${SAID} It`, ' is'], { hold: true });
    const leave = new AbortController();
    for await (const event of streamedEvents(await askStreaming(client, { space }, { signal: leave.signal }))) {
      expect(event).toStrictEqual({ type: 'chunk', content: SAID });
      break;
    }
    leave.abort();
    await eventually(async () => expect(model.asked.map(({ isAborted }) => isAborted)).toStrictEqual([true]));
  });

  it('that the model refuses are a coded error without what it said', async () => {
    model.refuse(500);
    for (const stream of [true, false]) {
      const response = await askStreaming(client, { space, stream });
      const { code, error } = (await response.json()) as { code: string; error: string };
      expect([response.status, code]).toStrictEqual([503, 'UNAVAILABLE']);
      expect(error).not.toMatch(/sk-/);
    }
  });
});
