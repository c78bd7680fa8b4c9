import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as odf from '../fixtures/make-odf.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

describe('a formula of an OpenDocument file', () => {
  const object = (math: string): string => `<math xmlns="http://www.w3.org/1998/Math/MathML">${math}</math>`;
  const frame = (name: string): string => odf.frame(`<draw:object xlink:href="./${name}"/>`);
  const math =
    '<semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding="StarMath 5.0">x^2</annotation></semantics>';
  const extra = { 'Object 1/content.xml': object(math), 'Object 2/content.xml': object('<mi>π</mi>') };
  const read = async (type: string, body: string): Promise<string> =>
    (await scratch.run(extractor, 'a.odf', type, odf.makeOdf({ type, body, extra }))).markdown;

  it('of a text is LaTeX within its line, and a paragraph of its own if it is alone', async () => {
    const body = odf.paragraph(`Let ${frame('Object 1')} be $5.`) + odf.paragraph(frame('Object 2'));
    expect(await read(odf.odtType, body)).toBe('Let $x^{2}$ be \\$5.\n\n$$\\pi$$\n');
  });

  it('of a slide is a paragraph', async () => {
    expect(await read(odf.odpType, odf.slide(frame('Object 1')))).toBe('$$x^{2}$$\n');
  });
});
