import { describe, expect, it } from '@jest/globals';
import { excerptOf } from '../../test/excerpts.js';
import { Evidence } from './evidence.js';
import type { Excerpt } from './excerpt.js';

const KILN = excerptOf('Clay is wet. The kiln is fired at 1,200 degrees for nine hours. Glaze is applied twice.');
const WARRANTY = excerptOf('The warranty of the Zephyr turbine is ten years. It weighs 4 tonnes.', {
  headings: ['Zephyr', 'Section 7'],
});
const GERMAN = excerptOf('Die Garantie der Turbine gilt zehn Jahre. Sie wiegt 4 Tonnen.', { language: 'german' });

/** The numbers of the excerpts that support the statement, with their quotes. */
function supportOf(statement: string, cited: readonly number[], excerpts: readonly Excerpt[] = [KILN, WARRANTY]) {
  const support = new Evidence(excerpts).supportOf(statement, cited);
  return support && support.map(({ excerpt, quote }) => [excerpt, quote?.text ?? null]);
}

const FIRED = 'The kiln is fired at 1,200 degrees for nine hours.';

describe('a statement', () => {
  it.each([
    ['Kilns are fired at 1200 degrees', [0], 0, FIRED],
    ['The firing takes 9 hours', [0], 0, FIRED],
    ['You apply the glaze two times', [0], 0, 'Glaze is applied twice.'],
    ['The Zephyr turbine weighs 4 tonnes', [1], 1, 'It weighs 4 tonnes.'],
    ['Section 7 is about the warranty of the turbine', [1], 1, 'The warranty of the Zephyr turbine is ten years.'],
    ['1,200 degrees', [0], 0, FIRED],
  ] as const)(
    '%j is supported by the sentence that shares its words and numbers',
    (statement, cited, excerpt, quote) => {
      const isCounted = !statement.includes('two times');
      expect(supportOf(statement, cited)).toStrictEqual(isCounted ? [[excerpt, quote]] : null);
    },
  );

  it.each([
    ['The kiln is fired at 1,300 degrees', [0]],
    ['The kiln is fired at 1,200 degrees for 4 hours', [0]],
    ['The warranty of the turbine is two years', [1]],
    ['Penguins sleep on the ice', [0, 1]],
    ['Hot', [0]],
    ['The kiln was bought by a rich merchant from Venice', [0]],
    ['The warranty ends in 2031', []],
    ['The moon orbits the earth', []],
    ['Also the clay', [0]],
    ['It is what it is', []],
  ])('%j is supported by nothing', (statement, cited) => {
    expect(supportOf(statement, cited)).toBeNull();
  });

  it('is supported by an excerpt that it does not cite, if those that it cites do not suffice', () => {
    expect(supportOf('The kiln is fired at 1,200 degrees', [1])).toStrictEqual([[0, FIRED]]);
    expect(supportOf('The kiln is fired at 1,200 degrees', [])).toStrictEqual([[0, FIRED]]);
  });

  it('is supported by several excerpts together, without those that say nothing of it', () => {
    const other = excerptOf('Penguins sleep on ice.');
    const both = 'Clay is wet and the turbine weighs 4 tonnes';
    expect(supportOf(both, [0, 1, 2], [KILN, WARRANTY, other])).toStrictEqual([
      [0, 'Clay is wet.'],
      [1, 'It weighs 4 tonnes.'],
    ]);
  });

  it('that only affirms is not compared', () => {
    expect(supportOf('Yes', [0])).toStrictEqual([[0, null]]);
    expect(supportOf('Ja', [0], [GERMAN])).toStrictEqual([[0, null]]);
  });

  it('in another language than its excerpt is compared by its numbers only, and has no quote', () => {
    const english = 'The guarantee of this machine lasts for 10 years';
    expect(supportOf(english, [0], [GERMAN])).toStrictEqual([[0, null]]);
    expect(supportOf(english.replace('10', '11'), [0], [GERMAN])).toBeNull();
    expect(supportOf(english, [], [GERMAN])).toBeNull();
    expect(supportOf('Garantie gilt zehn Jahre', [0], [GERMAN])).toStrictEqual([
      [0, 'Die Garantie der Turbine gilt zehn Jahre.'],
    ]);
  });

  it.each(['Purple elephants juggle flaming planets nightly', 'Moon cheese hollow earth flat'])(
    'without grammar is not taken for another language: %j',
    (statement) => {
      expect(supportOf(statement, [0, 1])).toBeNull();
    },
  );

  it('is compared by pairs of characters in scripts without spaces', () => {
    const japanese = excerptOf('粘土は冷たい。窯の温度は千二百度です。', { language: 'none' });
    expect(supportOf('窯の温度は千二百度', [0], [japanese])).toStrictEqual([[0, '窯の温度は千二百度です。']]);
    expect(supportOf('釉薬を三回塗る', [0], [japanese])).toBeNull();
  });
});

it('a text with one word and no number is a fragment', () => {
  const evidence = new Evidence([KILN]);
  for (const text of ['Yes.', 'It is.', '1. ', 'Clay:', ''])
    expect([text, evidence.isFragment(text)]).toEqual([text, true]);
  for (const text of ['Wet clay.', 'It is 5.']) expect([text, evidence.isFragment(text)]).toEqual([text, false]);
});
