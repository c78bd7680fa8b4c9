import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RESULT_TYPE } from '@kiln/file-types/content-type';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

describe('the result of an extractor', () => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await Scratch.make();
  });
  afterEach(() => scratch.remove());

  const read = (result: unknown) =>
    scratch.run(createLocalExtractor(defaultLimits), 'a.pdf', RESULT_TYPE, JSON.stringify(result));

  it('is read as sanitized markdown, with its pages and what it states', async () => {
    const pages = [{ markdown: ' # Kilns\r\n' }, { markdown: 'Hot <b>clay</b>.\0' }];
    const output = await read({ pages, title: ' Of\nkilns ', author: null, language: 'de', other: 1 });
    expect(output.markdown).toBe('# Kilns\n\nHot \\<b>clay\\</b>.\n');
    expect(output.pages?.map(({ start, end }) => output.markdown.slice(start, end))).toStrictEqual([
      '# Kilns',
      'Hot \\<b>clay\\</b>.',
    ]);
    expect(output).toMatchObject({ pageCount: 2, metadata: { title: 'Of kilns', author: null, language: 'de' } });
    const whole = await read({ markdown: '# Kilns' });
    expect([whole.markdown, whole.pages, whole.metadata.title]).toStrictEqual(['# Kilns\n', null, 'Kilns']);
  });

  it('may begin with a byte order mark', async () => {
    const content = '\ufeff{"markdown":"# Kilns"}';
    const { markdown } = await scratch.run(createLocalExtractor(defaultLimits), 'a.pdf', RESULT_TYPE, content);
    expect(markdown).toBe('# Kilns\n');
  });

  it.each([
    ['is no object', [], /not an object/],
    ['lacks text', {}, /exactly one of markdown and pages/],
    ['has text twice', { markdown: '', pages: [] }, /exactly one of markdown and pages/],
    ['states an error', { error: { code: 'corrupt_file', message: '' } }, /exactly one of markdown and pages/],
    ['has text of another type', { markdown: 7 }, /markdown must be text/],
    ['has pages of another type', { pages: ['text'] }, /markdown must be text/],
    ['has too many pages', { pages: Array.from({ length: 10_001 }, () => ({ markdown: '' })) }, /at most 10000/],
    ['has a long title', { markdown: '', title: 'x'.repeat(1_001) }, /title must be text of at most 1000/],
    ['names no language', { markdown: '', language: 'German' }, /code of ISO 639/],
  ])('cannot be used where it %s', async (_how, result, message) => {
    await expect(read(result)).rejects.toMatchObject({ code: 'corrupt_file', message: expect.stringMatching(message) });
  });
});
