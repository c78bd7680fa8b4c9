// Real: Postgres, the object store, HTTP to a chat model on loopback that misbehaves on request. Faked: the jobs service, which stores keys;
// the files service, which knows the files that exist.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChunkLine } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { AnswerHarness, filesOf, FIRED, QUESTION, says } from '../test/answer-harness.js';
import { NOTHING_FOUND } from './domain/prompt.js';

describe('an answer', () => {
  let answers: AnswerHarness;
  beforeAll(async () => {
    answers = await AnswerHarness.start();
  });
  afterEach(() => answers.reset());
  afterAll(() => answers.close());

  it('quotes the files, and cites each with its place, without a chat model', async () => {
    const tenantId = randomUUID();
    const text = `Clay is wet. ${FIRED}`;
    // The first line ends on page 3, the second stands at the top of page 4.
    const lines = [3, 0, 13, 1_000, 9_000, 2_000, 250, 4, 13, 48, 1_000, 500, 5_000, 250];
    const line: ChunkLine = {
      index: 0,
      text,
      start: 100,
      end: 100 + text.length,
      page: 3,
      heading_path: ['Firing'],
      lines,
    };
    const [indexed] = await answers.kiln.indexTogether(tenantId, [
      { chunks: [], lines: [line], filename: 'manual.md', title: 'A\nB' },
    ]);
    expect(indexed?.refusal).toBeNull();
    await answers.kiln.index({ tenantId, chunks: ['Kilns are ovens.'] });
    const { answer, sources, citations, omitted_statements: omitted } = await answers.ask(tenantId);
    expect(answer).toBe(`${FIRED} [1]`);
    const start = 100 + text.indexOf(FIRED);
    const below = { page: 4, x: 0.1, y: 0.05, width: 0.5, height: 0.025 };
    const quote = { text: FIRED, start, end: start + FIRED.length, page: 4, regions: [below] };
    expect(citations).toStrictEqual([{ citation: 1, position: FIRED.length + 1, quote }]);
    expect(omitted).toBe(0);
    expect(sources).toStrictEqual([
      {
        citation: 1,
        file_id: expect.stringMatching(/^file_/),
        fileId: sources[0]?.file_id,
        filename: 'manual.md',
        snippet: 'Clay is wet. The <mark>kiln</mark> is <mark>fired</mark> at 1,200 <mark>degrees</mark>.',
        score: expect.any(Number),
        start: 100,
        end: 100 + text.length,
        page: 3,
        regions: [{ page: 3, x: 0.1, y: 0.9, width: 0.2, height: 0.025 }, below],
      },
    ]);
    expect(sources[0]?.score).toBeGreaterThan(0);
    expect(sources[0]?.score).toBeLessThanOrEqual(1);
  });

  it('says that nothing was found, without asking the model, when no file is relevant', async () => {
    const tenantId = randomUUID();
    await answers.kiln.index({ tenantId, chunks: [FIRED] });
    const answering = answers.open({ urls: [answers.server.url] });
    for (const question of ['Who painted the ceiling of the chapel?', 'What?', '!!!']) {
      expect(await answers.ask(tenantId, { answering, question })).toMatchObject({
        answer: NOTHING_FOUND,
        sources: [],
      });
    }
    expect(answers.server.requests).toStrictEqual([]);
  });

  it('follows the rarest words of a question, whether files have them or not', async () => {
    const texts = ['The room keeps zorbaxil on the shelf.', 'The secret of zqbbb is kept here.'];
    const [room = '', secret = ''] = texts;
    for (const indexed of [[room], [secret], texts]) {
      const tenantId = randomUUID();
      for (const text of indexed) await answers.kiln.index({ tenantId, chunks: [text] });
      const kept = await answers.ask(tenantId, { question: 'Where is zorbaxil kept?' });
      expect(kept.answer).toBe(indexed.includes(room) ? `${room} [1]` : NOTHING_FOUND);
      const { answer } = await answers.ask(tenantId, { question: 'What is the secret of zqaaa?' });
      expect(answer).toBe(NOTHING_FOUND);
    }
  });

  it.each([
    ['german', 'Wo wird zorbaxil aufbewahrt?', 'Der Raum hat zorbaxil im Regal.'],
    ['french', 'Où se trouve zorbaxil ?', "La salle a du zorbaxil sur l'étagère."],
  ] as const)('follows the rarest words in %s, too', async (language, question, text) => {
    const tenantId = randomUUID();
    await answers.kiln.index({ tenantId, language, chunks: [text] });
    expect((await answers.ask(tenantId, { question })).answer).toBe(`${text} [1]`);
    const other = question.replace('zorbaxil', 'zqaaa');
    expect((await answers.ask(tenantId, { question: other })).answer).toBe(NOTHING_FOUND);
  });

  it('weighs as much as the words that it looks up, until the model is asked', async () => {
    const tenantId = randomUUID();
    await answers.kiln.index({ tenantId, chunks: [FIRED] });
    const weights: number[] = [];
    const asHeavy = async <Result>(weight: number, work: () => Promise<Result>) => {
      weights.push(weight);
      const result = await work();
      expect(answers.server.requests).toHaveLength(weights.length - 1);
      return result;
    };
    const answering = answers.open({ urls: [answers.server.url] });
    for (const question of [undefined, `${QUESTION} ${FIRED.repeat(30)}`]) {
      await answers.ask(tenantId, { answering, context: { asHeavy }, ...(question && { question }) });
    }
    expect(weights).toStrictEqual([0, 124]);
    expect(answers.server.requests).toHaveLength(2);
  });

  it('reads quotes and minuses of a question as punctuation', async () => {
    const tenantId = randomUUID();
    await answers.kiln.index({ tenantId, chunks: [FIRED] });
    const { sources } = await answers.ask(tenantId, { question: 'Is the "hot kiln" -fired at 1,200 degrees?' });
    expect(sources).toHaveLength(1);
  });

  it('is found by the forms of words in the language of each file', async () => {
    const tenantId = randomUUID();
    await answers.kiln.index({ tenantId, language: 'english', chunks: ['Bats sleep in caves.'] });
    await answers.kiln.index({
      tenantId,
      language: 'german',
      chunks: ['Die Häuser wurden im Winter geheizt. Der Fluss war kalt.'],
    });
    const { answer, sources } = await answers.ask(tenantId, { question: 'Wann wurde das Haus geheizt?' });
    expect(answer).toBe('Die Häuser wurden im Winter geheizt. [1]');
    expect(sources[0]?.snippet).toContain('<mark>Häuser</mark>');
  });

  it('is found by its meaning, where files have vectors, but never in a deleted file; by words while they cannot be searched', async () => {
    const tenantId = randomUUID();
    const question = 'Why does pottery crack?';
    const vectorOf = (value: number) => [value, Math.sqrt(1 - value ** 2), ...Array.from({ length: 62 }, () => 0)];
    answers.kiln.vectors.set(question, vectorOf(1));
    const add = (text: string, cosine: number) =>
      answers.kiln.index({ tenantId, chunks: [text], vectors: [vectorOf(cosine)] });
    const near = await add('Clay that dries too fast gets fissures.', 0.8);
    answers.delete(await add('Fissures come from haste.', 0.9));
    await add('The studio opens at nine.', 0.2);
    const answering = answers.open({ urls: [answers.server.url] });
    answers.server.next(says('Clay dries too fast [1] [2].'));
    const { answer, sources } = await answers.ask(tenantId, { answering, question });
    expect([answer, sources.map(({ file_id: id }) => id)]).toStrictEqual(['Clay dries too fast [1].', [near]]);
    expect(sources[0]?.score).toBeCloseTo(0.8);
    answers.kiln.vectors.isDown = true;
    expect((await answers.ask(tenantId, { answering, question })).answer).toBe(NOTHING_FOUND);
    answers.kiln.vectors.isDown = false;
  });

  it('never comes from another tenant, from another space, or from a file that is deleted', async () => {
    const [tenantId, other] = [randomUUID(), randomUUID()];
    await answers.kiln.index({ tenantId: other, chunks: [FIRED] });
    const inSpace = await answers.kiln.index({ tenantId, chunks: [FIRED], space: 'mine' });
    const deleted = await answers.kiln.index({ tenantId, chunks: [`${FIRED} Really.`], space: 'mine' });
    answers.delete(deleted);
    expect(filesOf((await answers.ask(tenantId)).sources)).toStrictEqual([inSpace]);
    expect(filesOf((await answers.ask(tenantId, { space: 'mine' })).sources)).toStrictEqual([inSpace]);
    expect((await answers.ask(tenantId, { space: 'theirs' })).answer).toBe(NOTHING_FOUND);
  });
});
