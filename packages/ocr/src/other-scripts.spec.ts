import { describe, expect, it } from '@jest/globals';
import { plainText } from '@kiln/pdf/markdown/inline-text';
import { SizeSteps, sizeOf } from './font-size.js';
import { codeOf, firstOfOtherScripts, scriptOf } from './language-scripts.js';
import { dataFile, dataFiles, isLanguageName } from './ocr-languages.js';
import { languageOf } from './picture-reader.js';
import { recognizedPage } from './recognized-page.js';
import type { RecognizedLine } from './recognized-words.js';
import { splitSymbols } from './split-words.js';
import { sureShare, trustedLines } from './trusted-lines.js';

/** A line in a font of 20 pixels. Each word has a text and the gap before it. */
function line(words: readonly (readonly [text: string, gap: number])[]): RecognizedLine {
  let left = 0;
  const found = words.map(([text, gap]) => {
    left += gap;
    const right = left + text.length * 20;
    const word = { text, confidence: 95, left, top: 80, right, bottom: 100 };
    left = right;
    return word;
  });
  return { words: found, baseline: 100, size: 20, weight: 0.1 };
}

const textOf = (found: RecognizedLine): string =>
  plainText(
    recognizedPage({ width: 800, height: 800, rotation: 0, skew: 0, lines: [found], rules: [] }, 72, new SizeSteps())
      .words,
  );

describe('the script of a language', () => {
  it('follows from its name in Tesseract', () => {
    const scripts = { eng: 'Latn', pol: 'Latn', rus: 'Cyrl', ell: 'Grek', ara: 'Arab', heb: 'Hebr', hin: 'Deva' };
    expect(Object.keys(scripts).map(scriptOf)).toStrictEqual(Object.values(scripts));
    const stated = ['chi_sim', 'chi_tra_vert', 'srp', 'srp_latn', 'uzb_cyrl', 'deu_frak', 'spa_old', 'digits'];
    expect(stated.map(scriptOf)).toStrictEqual(['Hans', 'Hant', 'Cyrl', 'Latn', 'Cyrl', 'Latf', 'Latn', 'digits']);
    expect(['chi_tra', 'ell', 'frk2'].map(codeOf)).toStrictEqual(['zh', 'el', 'frk2']);
  });

  it('makes it the one that is tried, if it is the first of its script', () => {
    expect(firstOfOtherScripts(['eng', 'rus', 'deu', 'ukr', 'ell'], 'deu')).toStrictEqual(['rus', 'ell']);
    expect(firstOfOtherScripts(['eng', 'rus', 'ell'], 'ell')).toStrictEqual(['eng', 'rus']);
    expect(firstOfOtherScripts(['eng', 'deu', 'pol'], 'eng')).toStrictEqual([]);
  });

  it('does not change a language for another of the same code', () => {
    const chinese = line([['窯'.repeat(40), 0]]);
    const lines = [chinese, chinese, chinese];
    expect(languageOf(lines, ['eng', 'chi_sim', 'chi_tra'], 'chi_tra')).toBe('chi_tra');
    expect(languageOf(lines, ['eng', 'chi_sim', 'chi_tra'], 'eng')).toBe('chi_sim');
  });
});

describe('the name of a language', () => {
  it('never leads out of the directory of its data', () => {
    expect(['rus', 'chi_sim_vert', 'deu_latf'].every(isLanguageName)).toBe(true);
    for (const name of ['', '../eng', 'a/b', 'a.b', '.', 'x\0y', 'rus ', '-rus', 'script/Greek']) {
      expect(isLanguageName(name)).toBe(false);
      expect(() => dataFile('/data', name)).toThrow(/not the name of a language/);
    }
  });

  it('names one file, if it is not shipped', () => {
    expect(dataFiles('/data', ['eng', 'ell', 'ell', 'rus'])).toStrictEqual([
      '/data/ell.traineddata',
      '/data/rus.traineddata',
    ]);
    expect(dataFiles(undefined, ['eng'])).toStrictEqual([]);
  });
});

describe('recognized text', () => {
  it('has no spaces between ideographs, which Tesseract takes for words, nor between them and numbers beside them', () => {
    const words = (['第', '3', '章', '窯', 'の'] as const).map((text) => [text, 2] as const);
    expect(textOf(line(words))).toBe('第3章窯の');
    expect(textOf(line([...words, ['Kiln', 12], ['fire', 3]]))).toBe('第3章窯の Kiln fire');
    expect(
      textOf(
        line([
          ['네', 0],
          ['가마', 8],
        ]),
      ),
    ).toBe('네 가마');
  });

  it('is in logical order where it runs from right to left', () => {
    const hebrew = line([
      ['חימר', 0],
      ['תנור', 8],
    ]);
    // Tesseract returns the word on the right first.
    expect(textOf({ ...hebrew, words: hebrew.words.toReversed() })).toBe('תנור חימר');
  });

  it('is sure with vowels and tones that are marks', () => {
    const hindi = line([
      ['मिट्टी', 0],
      ['की', 8],
      ['भट्ठी', 8],
    ]);
    expect(sureShare([hindi])).toBe(1);
    expect(trustedLines([hindi])).toHaveLength(1);
  });

  it('keeps a number and an ideograph with wide sides together', () => {
    const symbols = ['3', '月'].map((text, index) => ({
      text,
      left: index * 20,
      top: 0,
      right: index * 20 + 12,
      bottom: 20,
    }));
    expect(splitSymbols(symbols, 20)).toHaveLength(1);
  });
});

describe('the size of a font', () => {
  const word = (text: string, height: number, depth = 0) => ({
    text,
    left: 0,
    top: 100 - height,
    right: 50,
    bottom: 100 + depth,
  });

  it('is the same for lines of small letters and of capitals, in Greek and Cyrillic, and of letters of Hebrew', () => {
    for (const [low, high] of [
      ['πηγη', 'Θηρα'],
      ['ручка', 'Глина'],
      ['כך הן', 'הדלת'],
    ] as const) {
      expect(sizeOf([word(low, 10, 4)], 100)).toBeCloseTo(20);
      expect(sizeOf([word(high, 14, 4)], 100)).toBeCloseTo(20);
    }
  });

  it('is the same for lines of a script that has no letters of known height, but not for its headings', () => {
    const sizes = new SizeSteps();
    const rough = (size: number) => ({ size, letters: 40, isRough: true });
    sizes.learn([29, 25, 36, 28, 30, 60].map(rough));
    const [first, ...others] = [29, 25, 36, 28, 30].map((size) => sizes.round(rough(size)));
    expect(others).toStrictEqual([first, first, first, first]);
    expect(sizes.round(rough(60))).toBe(60);
  });

  it('follows from the height of ideographs, and of most words without case', () => {
    expect(sizeOf([word('窯', 18, 9), word('章', 18, 2), word('の', 17)], 100)).toBeCloseTo(20);
    expect(sizeOf([word('طين', 12, 4), word('من', 10, 6), word('في', 40, 6)], 100)).toBeCloseTo(20);
  });
});
