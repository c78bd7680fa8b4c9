import { describe, expect, it } from '@jest/globals';
import { languageOf } from './picture-reader.js';
import { SizeSteps, sizeOf } from './font-size.js';
import { type RecognizedLine, recognizedLines } from './recognized-words.js';
import { recognizedPage } from './recognized-page.js';
import { isSideways, sureShare, trustedLines, uprightShare } from './trusted-lines.js';

/** A line of words at a base line, with ten pixels for each letter. `text~50` has a confidence of 50, other words have 95. */
function line(text: string, baseline = 100): RecognizedLine {
  let left = 0;
  const words = text.split(' ').map((entry) => {
    const [word = '', confidence = '95'] = entry.split('~');
    const right = left + word.length * 10;
    const found = { text: word, confidence: Number(confidence), left, top: baseline - 14, right, bottom: baseline };
    left = right + 5;
    return found;
  });
  return { words, baseline, size: 20, weight: 0.1 };
}
const texts = (lines: readonly RecognizedLine[]): string[] =>
  lines.map(({ words }) => words.map(({ text }) => text).join(' '));

describe('recognizedLines', () => {
  const box = { x0: 10, y0: 20, x1: 50, y1: 34 };
  const lineOf = (words: object[]) => ({ baseline: { x0: 0, y0: 33, x1: 90, y1: 35 }, words });

  it('are those of all blocks, without empty words', () => {
    const json = JSON.stringify({
      blocks: [
        {
          paragraphs: [
            {
              lines: [
                lineOf([{ text: 'Kiln\n', confidence: 91, bbox: box }]),
                lineOf([{ text: ' ', confidence: 9, bbox: box }]),
              ],
            },
          ],
        },
      ],
    });
    expect(recognizedLines(json)).toStrictEqual([
      {
        words: [{ text: 'Kiln', confidence: 91, left: 10, top: 20, right: 50, bottom: 34 }],
        baseline: 34,
        size: 14 / 0.7,
        weight: 0,
      },
    ]);
    expect(recognizedLines('{"blocks":null}')).toStrictEqual([]);
  });
});

describe('a word', () => {
  const symbolsOf = (text: string, confidence: number) =>
    Array.from(text, (letter, at) => ({
      text: letter,
      confidence,
      bbox: { x0: at * 12, y0: 20, x1: at * 12 + 10, y1: 40 },
    }));
  const wordsOf = (text: string, symbols: object[]) => {
    const word = { text, confidence: 46, bbox: { x0: 0, y0: 20, x1: 60, y1: 40 }, symbols };
    const lines = [{ baseline: { x0: 0, y0: 40, x1: 90, y1: 40 }, words: [word] }];
    return recognizedLines(JSON.stringify({ blocks: [{ paragraphs: [{ lines }] }] }))[0]?.words ?? [];
  };

  it('is as sure as its symbols, if they leave no doubt', () => {
    expect(wordsOf('1.0kg', symbolsOf('1.0kg', 99))).toMatchObject([{ text: '1.0kg', confidence: 99 }]);
    expect(wordsOf('uHOf', symbolsOf('uHOf', 93))).toMatchObject([{ confidence: 46 }]);
    expect(wordsOf('|', symbolsOf('|', 99))).toMatchObject([{ confidence: 46 }]);
    expect(wordsOf(' ab', symbolsOf(' ab', 99))).toMatchObject([{ confidence: 46 }]);
  });
});

describe('the size of a font', () => {
  const word = (text: string, height: number) => ({ text, left: 0, top: 100 - height, right: 50, bottom: 100 });

  it('follows from the heights of words, by whether they have high letters', () => {
    expect(sizeOf([word('Kiln', 14)], 100)).toBeCloseTo(20);
    expect(sizeOf([word('no', 10)], 100)).toBeCloseTo(20);
    expect(sizeOf([word('no', 10), word('it', 12), word('wide,', 14), word('same', 10)], 100)).toBeCloseTo(20);
  });

  it('is rounded to the nearby size of most letters of the document', () => {
    const sizes = new SizeSteps();
    const measured = (size: number, letters: number) => ({ size, letters });
    sizes.learn([measured(10.4, 40), measured(10, 500), measured(9.8, 300), measured(8.8, 200), measured(9, 100)]);
    const found = [measured(10.4, 40), measured(9.8, 300), measured(8.9, 60), measured(10.9, 10), measured(11.5, 10)];
    expect(found.map((line) => sizes.round(line))).toStrictEqual([10, 10, 8.8, 10, 11.5]);
  });
});

describe('trusted lines', () => {
  const prose = ['The kiln is fired', 'for two days and nights'].map((text, index) => line(text, 100 + index * 30));

  it('of a text have unsure words, but not specks', () => {
    const lines = [...prose, line('slowly~45 and evenly |~60 x~10')];
    expect(texts(trustedLines(lines)).at(-1)).toBe('slowly and evenly');
  });

  it('do not include lines of noise', () => {
    expect(texts(trustedLines([...prose, line('ii~40 =~80 wv~35'), line('--~90')]))).toStrictEqual(texts(prose));
  });

  it('of a photograph are only those that are sure and long enough', () => {
    const noise = ['ae~30 Wi~20 eS~41', '|~70 ‘~50 aN~33', 'oo~88', 'iA~12 ~~44', 'fl~59 Eke~22'].map((text) =>
      line(text),
    );
    expect(trustedLines(noise)).toStrictEqual([]);
    expect(texts(trustedLines([...noise, line('EXIT ONLY')]))).toStrictEqual(['EXIT ONLY']);
  });

  it('show by their share whether a text was read in the right direction', () => {
    expect(sureShare(prose)).toBeGreaterThan(0.9);
    expect(sureShare([line('hgnorht~31 demrif~22 si~66')])).toBeLessThan(0.2);
    const upwards = line('upwards kilns');
    for (const word of upwards.words) Object.assign(word, { left: 0, right: 14, top: 0, bottom: 60 });
    expect([uprightShare(prose), uprightShare([upwards]), uprightShare([])]).toStrictEqual([1, 0, 1]);
  });

  it('show by the most of their sure words that a picture lies on its side', () => {
    const upwards = line('three upwards kilns blur~20');
    for (const word of upwards.words) Object.assign(word, { left: 0, right: 14, top: 0, bottom: 60 });
    expect(isSideways([upwards])).toBe(true);
    expect(isSideways([...prose, upwards])).toBe(false);
    expect(isSideways([{ ...upwards, words: upwards.words.slice(1) }])).toBe(false);
  });
});

describe('recognizedPage', () => {
  it('has words in points on one base line, and the rules', () => {
    const rules = [{ isHorizontal: true, from: 0, to: 400, start: 200, end: 204 }];
    const picture = { width: 800, height: 1000, rotation: 0 as const, skew: 0, lines: [line('Two words', 100)], rules };
    const page = recognizedPage(picture, 144, new SizeSteps());
    expect([page.width, page.height, page.rules]).toStrictEqual([
      400,
      500,
      [{ isHorizontal: true, at: 101, from: 0, to: 200 }],
    ]);
    expect(page.words).toMatchObject([
      { text: 'Two', left: 0, right: 15, baseline: 50, size: 10, top: 42, bottom: 52, order: 0 },
      { text: 'words', left: 17.5, right: 42.5, baseline: 50, size: 10, order: 1 },
    ]);
  });
});

describe('the face of a line', () => {
  it('is bold if its strokes are thicker than those of most text', () => {
    const lines = ['A Bold Heading', 'and the regular text below it', 'which is longer than that'].map(
      (text, index) => ({
        ...line(text, 100 + index * 30),
        weight: [0.1, 0.07, 0.075][index] ?? 0,
      }),
    );
    const page = recognizedPage(
      { width: 800, height: 1000, rotation: 0, skew: 0, lines, rules: [] },
      144,
      new SizeSteps(),
    );
    const bold = page.words.filter(({ style }) => style.isBold).map(({ text }) => text);
    expect(bold).toStrictEqual(['A', 'Bold', 'Heading']);
  });
});

describe('the language of a text', () => {
  const german = 'Der Ofen wird langsam geheizt, weil nasser Ton sonst springt und die Glasur nicht halt'.split(', ');
  const lines = [...german, ...german].map((text) => line(text));

  it('is found in what was recognized in another one, if it is one of those that are allowed', () => {
    expect(languageOf(lines, ['eng', 'fra', 'deu'], 'eng')).toBe('deu');
    expect(languageOf(lines, ['eng', 'fra'], 'eng')).toBe('eng');
    expect(languageOf(lines, ['eng'], 'eng')).toBe('eng');
  });

  it('is not changed by a few words', () => {
    expect(languageOf(lines.slice(0, 1), ['eng', 'deu'], 'eng')).toBe('eng');
  });
});
