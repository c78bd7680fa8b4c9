import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDocx } from '../fixtures/make-docx.js';
import { docxType, Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = async (paragraph: string): Promise<string> =>
  (await scratch.run(extractor, 'a.docx', docxType, makeDocx(`<w:p>${paragraph}</w:p>`))).markdown;
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

describe('a paragraph of a Word document', () => {
  it.each([
    [
      'a simple field',
      `${run('Figure ')}<w:fldSimple w:instr=" SEQ Figure ">${run('7')}</w:fldSimple>${run(': a kiln')}`,
    ],
    [
      'text with a direction',
      `${run('Figure ')}<w:dir w:val="ltr"><w:bdo w:val="ltr">${run('7')}</w:bdo></w:dir>${run(': a kiln')}`,
    ],
  ])('has %s', async (_what, content) => {
    expect(await read(content)).toBe('Figure 7: a kiln\n');
  });

  it('has a word without the reading that stands above it', async () => {
    const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run('かま')}</w:rt><w:rubyBase>${run('窯')}</w:rubyBase></w:ruby></w:r>`;
    expect(await read(`${run('a ')}${ruby}${run(' kiln')}`)).toBe('a 窯 kiln\n');
  });

  it.each(['/', '></w:ptab'])('has a space at an aligned tab that is written <w:ptab%s>', async (end) => {
    expect(await read(`<w:r><w:t>clay</w:t><w:ptab w:alignment="right"${end}><w:t>12</w:t></w:r>`)).toBe('clay 12\n');
  });

  it('is broken at a carriage return', async () => {
    expect(await read('<w:r><w:t>clay</w:t><w:cr/><w:t>glaze</w:t></w:r>')).toBe('clay\nglaze\n');
  });

  it('has no simple field that was deleted', async () => {
    const deleted = `<w:del><w:fldSimple w:instr=" DATE "><w:r><w:delText>gone</w:delText></w:r></w:fldSimple></w:del>`;
    expect(await read(run('kept') + deleted)).toBe('kept\n');
  });
});
