import { describe, expect, it } from '@jest/globals';
import { textLanguageOf } from './languages.js';

describe('the language of a file in the index', () => {
  it('is that of the setting, whatever language is detected', () => {
    expect(textLanguageOf('german', 'fr')).toBe('german');
    expect(textLanguageOf('none', 'fr')).toBe('none');
  });

  it('is the detected one with the setting auto, and none for others', () => {
    const detected = ['fr', 'de-AT', 'pt_BR', 'NB', 'ja', 'constructor', '', null];
    const expected = ['french', 'german', 'portuguese', 'norwegian', 'none', 'none', 'none', 'none'];
    expect(detected.map((tag) => textLanguageOf('auto', tag))).toStrictEqual(expected);
  });
});
