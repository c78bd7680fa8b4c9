import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeMsg, msgType } from '../fixtures/make-msg.js';
import { packRtf } from '../fixtures/pack-rtf.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';
import { unpackRtf } from './compressed-rtf.js';
import { encapsulatedHtml } from './encapsulated-html.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

async function bodyOf(rtf: Buffer, texts: Readonly<Record<string, string>> = {}): Promise<string> {
  const content = makeMsg({ texts: { '0037': 'Kilns', ...texts }, binaries: { '1009': rtf } });
  const { markdown } = await scratch.run(extractor, 'a.msg', msgType, content);
  return markdown.replace('**Subject:** Kilns', '').trim();
}

const fromHtml = (content: string): string =>
  `{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fswiss Arial;}{\\f1\\fcharset204 Arial;}}{\\colortbl;}\n${content}}`;

describe('compressed RTF', () => {
  it.each([
    // The examples of [MS-OXRTFCP], 4.1 and 4.2.
    [
      '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
      '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
    ],
    ['1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0', '{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}'],
    ['10000000040000004d454c41000000007b7d7b7d', '{}{}'],
  ])('is unpacked: %s', (hex, rtf) => {
    expect(unpackRtf(Buffer.from(hex, 'hex'))).toBe(rtf);
  });

  it('that is damaged gives the text before the damage, and none for other data', () => {
    const packed = packRtf('{\\rtf1 hello}');
    expect(unpackRtf(packed.subarray(0, 24))).toBe('{\\rtf1 ');
    expect([unpackRtf(Buffer.alloc(40)), unpackRtf(Buffer.of(1, 2))]).toStrictEqual([null, null]);
  });

  it('takes no more memory than its bytes can stand for', () => {
    const header = Buffer.from('10000000ffffffff4c5a467500000000', 'hex');
    expect(unpackRtf(Buffer.concat([header, Buffer.alloc(900, 0xff)]))?.length).toBeLessThan(10_000);
  });
});

describe('an Outlook message without HTML', () => {
  it('has the HTML within its RTF, with links and tables', async () => {
    const rtf = fromHtml(
      '{\\*\\htmltag19 <html>}{\\*\\htmltag2 <style>a \\{ b \\}</style>}{\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 See {\\*\\htmltag84 <a href="https://a.example/">}\\htmlrtf {\\field{\\*\\fldinst HYPERLINK}{\\fldrslt\\htmlrtf0 this\\htmlrtf }}\\htmlrtf0 {\\*\\htmltag92 </a>}{\\*\\mhtmltag84 <a href="x">}: gr\\\'fc\\u223 ?e {\\f1\\\'ef\\\'f0} &lt;b>\\par\n{\\*\\htmltag64 </p><table><tr><td>a</td><td>b</td></tr><tr><td>}1{\\*\\htmltag64 </td><td>}2{\\*\\htmltag64 </td></tr></table>}',
    );
    expect(await bodyOf(packRtf(rtf), { '1000': 'plain' })).toBe(
      'See [this](https://a.example/): grüße пр \\<b>\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    );
  });

  it('has the headings, lists and tables of its RTF, if that was not made of its text', async () => {
    const table =
      '\\trowd\\cellx1\\cellx2\\intbl a\\cell b\\cell\\row\\trowd\\cellx1\\cellx2\\intbl 1\\cell 2\\cell\\row';
    const native = packRtf(`{\\rtf1\\ansi It is {\\b hot}.\\par ${table}}`);
    expect(await bodyOf(native, { '1000': 'It is hot.\r\na b' })).toBe(
      'It is **hot**.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    );
    const made = packRtf('{\\rtf1\\ansi\\fromtext It is\\par hot.}');
    expect([await bodyOf(made, { '1000': 'It is\r\nhot.' }), await bodyOf(made)]).toStrictEqual([
      'It is\nhot.',
      'It is\n\nhot.',
    ]);
  });

  it('has its text where its RTF is damaged', async () => {
    expect(await bodyOf(Buffer.alloc(100, 7), { '1000': 'plain' })).toBe('plain');
    expect(await bodyOf(packRtf('{\\rtf1\\ansi\\fromhtml1 {{{'), { '1000': 'plain' })).toBe('plain');
  });

  it('has no HTML within RTF that was made of something else', () => {
    expect([encapsulatedHtml('{\\rtf1\\ansi x}'), encapsulatedHtml('{\\rtf1\\ansi{\\fromhtml1 x}}')]).toStrictEqual([
      null,
      null,
    ]);
  });
});
