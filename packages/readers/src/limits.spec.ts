import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDocx, paragraph } from './fixtures/make-docx.js';
import { makePdf } from '@kiln/pdf/fixtures/make-pdf';
import { docxType, Scratch } from './fixtures/scratch.js';
import { defaultLimits } from './limits.js';
import { createLocalExtractor } from './local-extractor.js';

let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

function refuses(
  contentType: string,
  content: Buffer | string,
  message: RegExp,
  limits: Partial<typeof defaultLimits> = {},
): Promise<void> {
  const extractor = createLocalExtractor({ ...defaultLimits, ...limits });
  return expect(scratch.run(extractor, 'file', contentType, content)).rejects.toMatchObject({
    code: 'file_too_large',
    retryable: false,
    message: expect.stringMatching(message),
  });
}

const field = '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r></w:p>';

describe('a document beyond a limit is refused with the limit', () => {
  it('of levels of elements, in a page and in a Word document', async () => {
    await refuses('text/html', '<div>'.repeat(600), /more than 512 levels of elements/);
    await refuses('text/html', '<b x=1></u><b x=2></u>'.repeat(600), /more than 512 levels of elements/);
    await refuses(docxType, makeDocx('<w:ins>'.repeat(300)), /more than 200 levels of elements/);
  });

  it('of elements of a page, which marks that begin again multiply', async () => {
    const marks = Array.from({ length: 400 }, (_, index) => `<font a=${index}>`).join('');
    await refuses('text/html', `<p>${marks}${'<p>x'.repeat(6000)}`, /more than 2000000 elements/);
  });

  it('of the markdown that spans become', async () => {
    const spans = `<table><tr><td colspan=200 rowspan=5000>${'word '.repeat(1000)}<td>x${'<tr><td>y'.repeat(5000)}</table>`;
    await refuses('text/html', spans, /becomes more than 64 MiB of markdown/);
  });

  it('of different elements and styles, and of levels of fields, of a Word document', async () => {
    const many = (count: number, part: (index: number) => string): Buffer =>
      makeDocx(Array.from({ length: count }, (_, index) => part(index)).join(''));
    await refuses(
      docxType,
      many(1001, (index) => `<w:x${index}/>`),
      /more than 1000 different kinds of elements/,
    );
    await refuses(
      docxType,
      many(501, (index) => paragraph('x', `S${index}`)),
      /more than 500 different styles/,
    );
    await refuses(docxType, makeDocx(field.repeat(65)), /fields that are nested too deeply/);
    await refuses(
      docxType,
      makeDocx(`<w:p><w:r>${'<w:footnoteReference w:id="1"/>'.repeat(17)}</w:r></w:p>`),
      /same note or comment more than 16 times/,
    );
  });

  it('of pages of a pdf', async () => {
    const content = await makePdf({ pages: [[{ text: 'one' }], [{ text: 'two' }], [{ text: 'three' }]] });
    await refuses('application/pdf', content, /has 3 pages; PDFs are read up to 2/, { pagesMax: 2 });
  });
});
