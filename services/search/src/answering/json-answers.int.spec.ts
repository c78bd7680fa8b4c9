// Real: Postgres, the object store, HTTP to a chat model on loopback. Faked: the jobs service, which stores keys and instructions; the files
// service, which knows the files that exist.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { misbehaviour } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { AnswerHarness, FIRED, promptsOf, says } from '../test/answer-harness.js';
import { NOTHING_FOUND } from './domain/prompt.js';

const schema = {
  type: 'object' as const,
  properties: { degrees: { type: 'integer' as const }, fuel: { type: ['string' as const, 'null' as const] } },
  required: ['degrees'],
  additionalProperties: false,
};
const answer_format = { type: 'json' as const, schema };
const replies = (answer: unknown) => says(JSON.stringify({ answer }));

describe('an answer in JSON', () => {
  let answers: AnswerHarness;
  let tenantId: string;
  beforeAll(async () => {
    answers = await AnswerHarness.start();
    tenantId = randomUUID();
    await answers.kiln.index({ tenantId, chunks: [FIRED] });
  });
  afterEach(() => answers.reset());
  afterAll(() => answers.close());

  const ask = () => answers.ask(tenantId, { answering: answers.open({ urls: [answers.server.url] }), answer_format });
  const formats = () => answers.server.requests.map(({ json }) => json['response_format'] !== undefined);

  it('matches the schema, and has a citation for each value that a source contains', async () => {
    answers.server.next(replies({ degrees: 1200, fuel: 'wood from Norway' }));
    const { answer, json, citations, sources, unsupported, model } = await ask();
    expect(JSON.parse(answer)).toStrictEqual({ degrees: 1200, fuel: 'wood from Norway' });
    expect(json).toStrictEqual(JSON.parse(answer));
    const quote = { text: FIRED, start: 0, end: FIRED.length, page: null, regions: [] };
    expect(citations).toStrictEqual([{ citation: 1, position: answer.indexOf('1200'), pointer: '/degrees', quote }]);
    expect([sources.length, unsupported, model]).toStrictEqual([1, ['/fuel'], 'small-chat']);
    const [[system = ''] = []] = promptsOf(answers.server);
    expect(system).toContain(JSON.stringify(schema));
    expect(answers.server.requests[0]?.json['response_format']).toMatchObject({ type: 'json_schema' });
  });

  it('is asked for a second time, with what is wrong, when it does not match the schema', async () => {
    answers.server.next(replies({ degrees: 'hot' }), replies({ degrees: 1200 }));
    expect((await ask()).json).toStrictEqual({ degrees: 1200 });
    const [, second] = answers.server.requests;
    const messages = second?.json['messages'] as { role: string; content: string }[];
    expect(messages.map(({ role }) => role)).toStrictEqual(['system', 'user', 'assistant', 'user']);
    expect(messages.at(-1)?.content).toMatch(/does not match the schema: .*degrees/s);
  });

  it('fails when the second reply does not match, either', async () => {
    answers.server.next(says('It is hot.'), says('It is hot.'));
    await expect(ask()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/did not write the JSON that answer_format asks for/),
    });
    expect(answers.server.requests).toHaveLength(2);
  });

  it('is null when the sources do not answer, or contain none of its values', async () => {
    for (const value of [null, { degrees: 1300 }]) {
      answers.server.next(replies(value));
      expect(await ask()).toMatchObject({ answer: NOTHING_FOUND, json: null, sources: [], citations: [] });
    }
  });

  it('loses images and links that neither a source nor the schema contains, in strings and in names', async () => {
    const open = {
      type: 'object' as const,
      properties: { summary: { type: 'string' as const }, license: { enum: ['https://license.example/mit'] } },
      additionalProperties: { type: 'string' as const },
    };
    const leak = 'https://evil.example/?q=KILN';
    const license = 'https://license.example/mit';
    answers.server.next(replies({ summary: `${FIRED} ![a](${leak})`, license, [`more ![](${leak})`]: `See ${leak}` }));
    const { answer, json } = await answers.ask(tenantId, {
      answering: answers.open({ urls: [answers.server.url] }),
      answer_format: { type: 'json', schema: open },
    });
    expect(json).toStrictEqual({ summary: `${FIRED} `, license, 'more ': 'See ' });
    expect(JSON.parse(answer)).toStrictEqual(json);
  });

  it('is written without response_format by a server that refuses it', async () => {
    const refusal = { error: { message: 'This response_format type is unavailable now', param: null } };
    answers.server.next(misbehaviour.status(400, {}, refusal), replies({ degrees: 1200 }), replies({ degrees: 1200 }));
    for (let time = 0; time < 2; time++) expect((await ask()).json).toStrictEqual({ degrees: 1200 });
    expect(formats()).toStrictEqual([true, false, false]);
  });

  it('needs a chat model', async () => {
    await expect(answers.ask(tenantId, { answer_format })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'answer_format needs a chat model, and none is configured.',
    });
    const answering = answers.open({ urls: [answers.server.url] });
    await expect(answers.ask(tenantId, { answering, answer_format, context: { mode: 'test' } })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'answer_format needs a chat model, and test mode has none.',
    });
  });
});
