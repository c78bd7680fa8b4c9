import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = async (page: string): Promise<string> =>
  (await scratch.run(extractor, 'a.html', 'text/html', Buffer.from(page))).markdown;
const content =
  '<semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding="application/x-tex">x^2</annotation></semantics>';

describe('a formula of a page', () => {
  it('is LaTeX within its line, and a paragraph of its own if it is displayed there', async () => {
    const displayed = `<math display="block">${content}</math>`;
    const page = `<h2>On ${displayed}</h2><p>Let <math>${content}</math>be $5.</p><p>Then ${displayed} holds.</p><table><tr><td>a<td>${displayed}</table>`;
    expect(await read(page)).toBe(
      '## On $x^{2}$\n\nLet $x^{2}$ be \\$5.\n\nThen\n\n$$x^{2}$$\n\nholds.\n\n| a | $x^{2}$ |\n| --- | --- |\n',
    );
  });

  it('is no other element, whatever the page calls it', async () => {
    const page = '<#formula latex="*a*">*b*</#formula><kiln-formula value="0" latex="*a*">*c*</kiln-formula><p>$</p>';
    expect(await read(page)).not.toMatch(/(?<!\\)\*/);
    expect(await read('<p>$5</p>')).toBe('$5\n');
  });
});
