import { describe, expect, it } from '@jest/globals';
import { searchQueryOf } from '../../searching/domain/search-query.js';
import { excerptOf } from '../../test/excerpts.js';
import { QuestionWords } from './question-terms.js';
import { quoteSentences } from './quote-sentences.js';

function quotes(question: string, texts: readonly string[]) {
  const { terms } = searchQueryOf(question, ['english']);
  const weights = terms.map(() => 2);
  return quoteSentences(
    texts.map((text) => excerptOf(text)),
    new QuestionWords(terms, { terms: weights, frequencies: weights, passages: 1 }),
  ).map(({ text, excerpt }) => `${text} [${excerpt + 1}]`);
}

describe('quoted sentences', () => {
  it('are those that contain what was asked, and no others', () => {
    const text = '# Firing\n\nThe kiln is red. It is fired at 1,200 degrees. The studio opens at nine.';
    expect(quotes('At how many degrees is it fired?', [text])).toStrictEqual(['It is fired at 1,200 degrees. [1]']);
  });

  it('are those below the heading that asks, with the heading', () => {
    const text =
      '# FAQ\n\n## Where do I park?\n\nBehind the building. Come early.\n\n## What does a firing cost?\n\nGlaze is 18 €.\n';
    expect(quotes('Where can I park?', [text])).toStrictEqual([
      'Where do I park – Behind the building. [1]',
      'Come early. [1]',
    ]);
    expect(quotes('What is the cost of a firing?', [text])).toStrictEqual([
      'What does a firing cost – Glaze is 18 €. [1]',
    ]);
  });

  it('are those after a sentence that asks, with that sentence', () => {
    const text = 'Q: Where do I park?\nA: Behind the building.\n\nQ: What does a firing cost?\nA: 18 €.\n\nWhy?\n';
    expect(quotes('Where can I park?', [text])).toStrictEqual(['Q: Where do I park – A: Behind the building. [1]']);
    expect(quotes('Which costs does firing have?', [text])).toStrictEqual([
      'Q: What does a firing cost – A: 18 €. [1]',
    ]);
  });

  it('are only those with the words themselves, where there are such', () => {
    const text = '# Firing\n\nBring gloves.\n\n# Clay\n\nFiring takes ten hours.\n';
    expect(quotes('How long does firing take?', [text])).toStrictEqual(['Firing takes ten hours. [1]']);
  });

  it('add what the best sentence lacks, in the order of the texts', () => {
    const texts = ['Glaze is applied before firing.', 'Cats sleep. The temperature of firing is 1,200 degrees.'];
    expect(quotes('What is the temperature of firing, and when is glaze applied?', texts)).toStrictEqual([
      'Glaze is applied before firing. [1]',
      'The temperature of firing is 1,200 degrees. [2]',
    ]);
  });

  it('do not say the same twice', () => {
    const texts = ['The kiln is fired at noon.', 'The kiln is fired at noon!', 'And the kiln is fired at noon.'];
    expect(quotes('When is the kiln fired?', texts)).toStrictEqual(['The kiln is fired at noon. [1]']);
  });

  it('are found in scripts without spaces', () => {
    expect(quotes('窯の温度は?', ['粘土は冷たい。窯の温度は千二百度です。'])).toStrictEqual([
      '窯の温度は千二百度です。 [1]',
    ]);
  });

  it('are none when no sentence has a word of the question', () => {
    expect(quotes('Who?', ['The kiln is red.'])).toStrictEqual([]);
    expect(quotes('penguins', ['', '# Only a heading about penguins'])).toStrictEqual([]);
  });
});
