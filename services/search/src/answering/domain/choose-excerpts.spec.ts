import { describe, expect, it } from '@jest/globals';
import { searchQueryOf } from '../../searching/domain/search-query.js';
import { chooseExcerpts } from './choose-excerpts.js';
import type { RelevantText } from './excerpt.js';
import { estimateTokens } from '../../providers/estimate-tokens.domain.js';
import { QuestionWords } from './question-terms.js';

const FILLER = 'nothing of interest here. ';
const FIVE = 5;
const PASSAGES = 1_000;
const FREQUENCY = 20;

const wordsOf = (question: string) => {
  const { terms } = searchQueryOf(question, ['english']);
  return new QuestionWords(terms, {
    terms: terms.map(() => 2),
    frequencies: terms.map(() => FREQUENCY),
    passages: PASSAGES,
  });
};

/** The chunks follow each other in the text, with one character between them. */
function fileOf(texts: readonly string[], { title = 'x.txt', bestChunk = 0, fileId = 'a' } = {}): RelevantText {
  let start = 0;
  const chunks = texts.map((text, index) => {
    const chunk = { index, text, start, end: start + text.length, page: index + 1, headings: [], lines: [] };
    start = chunk.end + 1;
    return chunk;
  });
  const byWords = new Map([[bestChunk, 0.1]]);
  return { fileId, language: 'english', filename: 'x.txt', title, byWords, byMeaning: new Map(), chunks };
}

const textsOf = async (files: readonly RelevantText[], question: string, count = FIVE) =>
  (await chooseExcerpts(files, wordsOf(question), count)).map(({ text }) => text);

describe('the excerpts for a question', () => {
  it('are the chunks that match it best, with their neighbours', async () => {
    const file = fileOf(['before', 'the kiln is fired at noon', 'after']);
    const [excerpt, ...others] = await chooseExcerpts([file], wordsOf('When is the kiln fired?'), FIVE);
    expect(others).toStrictEqual([]);
    expect(excerpt).toMatchObject({ text: 'before\nthe kiln is fired at noon\nafter', start: 0, page: 1 });
    expect(excerpt?.end).toBe(file.chunks[2]?.end);
  });

  it('can be several of one file, the best first', async () => {
    const far = Array.from({ length: 20 }, () => FILLER.repeat(40));
    const file = fileOf(['the kiln is hot', ...far, 'the kiln is fired, the kiln is fired'], { bestChunk: 21 });
    const found = await textsOf([file], 'When is the kiln fired hot?');
    expect(found).toHaveLength(2);
    expect(found[0]).toContain('fired');
    expect(found[1]).toContain('hot');
    expect(await textsOf([file], 'When is the kiln fired hot?', 1)).toHaveLength(1);
  });

  it('do not repeat a text that several files contain', async () => {
    const files = ['a', 'b'].map((fileId) => fileOf(['the kiln is fired at noon'], { fileId }));
    expect(await textsOf(files, 'When is the kiln fired?')).toHaveLength(1);
  });

  it('are none when a text shares too few words with the question', async () => {
    const one = fileOf(['the capital requirements of a bank']);
    expect(await textsOf([one], 'What is the capital of France?')).toStrictEqual([]);
    const two = fileOf(['the bank opens at nine, the vault at ten']);
    expect(
      await textsOf([two], 'How do penguins in a bank vault of ice sleep, hunt, swim and raise chicks?'),
    ).toStrictEqual([]);
    expect(await textsOf([fileOf(['the capital requirements'])], 'capital?')).toHaveLength(1);
  });

  it('include texts that share less with the question, once one text shares enough', async () => {
    const question = 'When is the kiln loaded, fired, glazed, emptied and cleaned?';
    const less = fileOf(['the kiln is emptied by two'], { fileId: 'b' });
    expect(await textsOf([less], question)).toStrictEqual([]);
    const enough = fileOf(['the kiln is fired at noon, glazed at one and emptied at two']);
    expect(await textsOf([less, enough], question)).toHaveLength(2);
  });

  it('need less of a long question', async () => {
    const question = Array.from({ length: 36 }, (_, n) => `${'bdfghk'[n % 6]}ao${'lmnprt'[Math.floor(n / 6)]}`);
    const of = (count: number) => textsOf([fileOf([question.slice(0, count).join(' ')])], question.join(' '));
    expect(await of(4)).toHaveLength(0);
    expect(await of(5)).toHaveLength(1);
  });

  it('count the words of headings, which stand above a chunk', async () => {
    const file = fileOf(['It weighs nine tonnes.']);
    const [chunk] = file.chunks;
    const under = { ...file, chunks: chunk ? [{ ...chunk, headings: ['The Zephyr turbine'] }] : [] };
    expect(await textsOf([file], 'What does the Zephyr weigh?')).toStrictEqual([]);
    expect(await textsOf([under], 'What does the Zephyr weigh?')).toHaveLength(1);
  });

  it('count the words of neighbours that the answer is made from, too, if there is room for them', async () => {
    const question = 'Do Harwick engineers grease the Zephyr turbine, the boiler and the crane?';
    const parts = ['The Zephyr turbine hums.', 'Harwick engineers are away.'];
    const alone = parts.map((text, at) => fileOf([text], { fileId: String(at) }));
    expect(await textsOf(alone, question)).toStrictEqual([]);
    expect(await textsOf([fileOf(parts)], question)).toStrictEqual([parts.join('\n')]);
    const long = parts.map((text) => `${text} ${FILLER.repeat(120)}`);
    expect(await textsOf([fileOf(long)], question)).toStrictEqual([]);
  });

  it('count the words of the title, which the chunks of a file need not repeat', async () => {
    const file = fileOf(['Unused days expire in March.', 'Canteen hours.'], { title: 'Vacation policy\nx.txt' });
    const [excerpt] = await chooseExcerpts([file], wordsOf('When do vacation days expire?'), FIVE);
    expect(excerpt?.text).toContain('expire in March');
    expect(await textsOf([file], 'the vacation policy')).toHaveLength(1);
  });

  it('can be near in meaning without a common word, and rank higher with one', async () => {
    const near = { ...fileOf(['the oven is heated at noon']), byMeaning: new Map([[0, 0.6]]) };
    const [excerpt] = await chooseExcerpts([near], wordsOf('When is the kiln fired?'), FIVE);
    expect(excerpt?.score).toBe(0.6);
    const both = { ...fileOf(['the kiln is fired now and then'], { fileId: 'b' }), byMeaning: new Map([[0, 0.5]]) };
    const one = fileOf(['the kiln is fired, the kiln is fired'], { fileId: 'c' });
    const found = await chooseExcerpts([one, near, both], wordsOf('When is the kiln fired?'), FIVE);
    expect(found.map(({ fileId }) => fileId)).toStrictEqual(['b', 'c', 'a']);
  });

  it('stay within the budget of tokens, whatever the size of chunks', async () => {
    for (const size of [10, 400, 4_000, 8_000]) {
      const filler = '字'.repeat(size / 2) + 'x'.repeat(size / 2);
      const texts = Array.from({ length: 12 }, (_, n) => `the kiln ${n} is fired ${filler}`);
      const files = Array.from({ length: 4 }, (_, n) =>
        fileOf(
          texts.map((text) => `${text} ${n}`),
          { fileId: `${n}` },
        ),
      );
      const excerpts = await chooseExcerpts(files, wordsOf('When is the kiln fired?'), 10);
      const tokens = excerpts.map(({ text }) => estimateTokens(text));
      expect(Math.max(...tokens)).toBeLessThanOrEqual(1_000);
      expect(tokens.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(3_000);
      expect(excerpts.length).toBeGreaterThanOrEqual(3);
      for (const { text } of excerpts) expect(text.isWellFormed()).toBe(true);
    }
  });

  it('are cut from a long chunk around its best part, and say where', async () => {
    const text = `${FILLER.repeat(300)}the kiln is fired at noon. ${FILLER.repeat(300)}`;
    const [excerpt] = await chooseExcerpts([fileOf([text])], wordsOf('When is the kiln fired?'), FIVE);
    expect(excerpt?.text).toContain('the kiln is fired at noon');
    expect(text.slice(excerpt?.start, excerpt?.end)).toBe(excerpt?.text);
  });
});
