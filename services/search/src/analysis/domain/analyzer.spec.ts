import { describe, expect, it } from '@jest/globals';
import { textLanguages, type TextLanguage } from '@kiln/contracts';
import { analyzerOf } from './analyzer.js';

const english = analyzerOf('english');
const terms = (text: string, language: TextLanguage = 'english') =>
  [...analyzerOf(language).tokensOfText(text)].map((token) => token.term);
const queryTerms = (query: string, language: TextLanguage = 'english') =>
  [...analyzerOf(language).tokensOfQuery(query)].map(({ term }) => term);

describe('the analyzer', () => {
  it('finds the same terms in a query and in a text', () => {
    expect(queryTerms('Café owners’ RUNNING 1,000 miles')).toStrictEqual(['cafe', 'owner', 'run', '1000', 'mile']);
    expect(terms('the café owner runs 1000 miles')).toStrictEqual(['cafe', 'owner', 'run', '1000', 'mile']);
  });

  it('returns the position of each term in the text', () => {
    const text = '😀 Ünïted foxes';
    expect([...english.tokensOfText(text)].map(({ start, end }) => text.slice(start, end))).toStrictEqual([
      'Ünïted',
      'foxes',
    ]);
  });

  it('finds no term in stop words and punctuation', () => {
    expect(queryTerms("it isn't & | ! :* '")).toStrictEqual([]);
  });

  it('keeps punctuation out of terms, so that no word can be mistaken for a facet', () => {
    let everything = '';
    for (let code = 0; code <= 0xffff; code += 1)
      everything += `${String.fromCharCode(code)} a${String.fromCharCode(code)}`;
    expect(terms(everything).filter((term) => /['\\:*&|!()<>+#\s\0]/u.test(term))).toStrictEqual([]);
  });

  it('finds the same terms with and without offsets, next to every character of the basic multilingual plane', () => {
    const different: string[] = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      const character = String.fromCharCode(code);
      const text = `foxes${character}1,000${character}2.5${character} ${character}7 1.5${character}-b2-${character}c`;
      if ([...english.termsOfText(text)].join(' ') !== terms(text).join(' ')) different.push(code.toString(16));
    }
    expect(different).toStrictEqual([]);
  });

  it.each(['1,000a', '1.2.3', '1,2,3,4,5,6,7,8,9,10,11', '1,,2', 'a1,2', '1.é', '١,٢'])(
    'finds the same terms with and without offsets in the malformed number %s',
    (text) => {
      expect([...english.termsOfText(text)]).toStrictEqual(terms(text));
    },
  );

  it('takes time proportional to the length of the text, also for long runs of digits and commas', () => {
    // Quadratic work would exceed the time limit of tests.
    for (const text of ['1,'.repeat(300_000) + 'a', '1'.repeat(600_000) + 'a', 'a1'.repeat(300_000)]) terms(text);
  });

  it.each([
    ['danish', 'husene huset', 'hus hus'],
    ['dutch', 'katten lopende', 'kat lopend'],
    ['finnish', 'talossa taloja', 'talo talo'],
    ['french', 'les maisons continuelles', 'maison continuel'],
    ['german', 'die Häuser und Häusern', 'haus haus'],
    ['hungarian', 'házak kertekben', 'haz kert'],
    ['italian', 'le città abbandonata', 'citt abbandon'],
    ['norwegian', 'husene huset', 'hus hus'],
    ['portuguese', 'as canções boataria', 'canco boat'],
    ['romanian', 'abrupta florile', 'abrupt flor'],
    ['russian', 'в красивых домах', 'красив дом'],
    ['spanish', 'las acciones cheques', 'accion chequ'],
    ['swedish', 'husen och bilarna', 'hus bil'],
    ['none', 'the Houses Häuser', 'the houses hauser'],
  ] as const)('stems words and drops stop words: %s', (language, text, expected) => {
    expect(terms(text, language).join(' ')).toBe(expected);
  });

  it.each([
    ['spanish', 'educacion', 'la educación pública'],
    ['french', 'elevees', 'des écoles élevées'],
    ['hungarian', 'hazakban', 'a házakban'],
    ['russian', 'елка', 'зелёная ёлка'],
    ['portuguese', 'cancao', 'uma canção'],
  ] as const)('finds words with accents by a query without them: %s, %s', (language, query, text) => {
    expect(terms(text, language)).toStrictEqual(expect.arrayContaining(queryTerms(query, language)));
    const accented = [...analyzerOf(language).tokensOfQuery(text)];
    expect(accented.filter(({ isUnaccented }) => isUnaccented)).toStrictEqual([]);
  });

  it('never returns an empty term, and returns the same one for a word however its accents are encoded', () => {
    const words = 'été Ångström naïve İstanbul ŐSZ çà ё Й ǆ ß ŉ ﬁ ½ Ⅷ ş ș'.split(' ');
    for (const language of textLanguages) {
      for (const word of words) {
        const [composed, decomposed] = [terms(word.normalize('NFC'), language), terms(word.normalize('NFD'), language)];
        expect([language, word, composed]).toStrictEqual([language, word, decomposed]);
        expect(composed).not.toContain('');
      }
    }
  });

  it.each([
    ['ガイドブック', '旅のガイドブック。'.normalize('NFD')],
    ['パンダ', 'パンダの写真'.normalize('NFD')],
    ['ガイド', 'ｻｰﾊﾞｰのｶﾞｲﾄﾞ'],
    ['サーバー', 'ｻｰﾊﾞｰのｶﾞｲﾄﾞ'],
    ['한국어', '한국어 문서'.normalize('NFD')],
    ['葛城市', '葛\u{e0100}城市'],
  ])('finds %s in a text whose characters are encoded in another way, and the other way round', (query, text) => {
    for (const language of textLanguages) {
      expect(terms(text, language)).toStrictEqual(expect.arrayContaining(queryTerms(query, language)));
      const [words, sought] = [[...analyzerOf(language).wordsOfText(text)].join(' '), analyzerOf(language)];
      expect(words).toContain([...sought.wordsOfText(query)].join(' '));
      expect(terms(query, language)).toStrictEqual(
        expect.arrayContaining(queryTerms(query.normalize('NFD'), language)),
      );
    }
  });

  it.each([
    ['محمد', 'مُحَمَّد'],
    ['كتاب', 'كـــتاب'],
    ['احمد', 'أحمد'],
    ['שלום', 'שָׁלוֹם'],
  ])('finds %s in a text with points, and the other way round, in every language', (plain, pointed) => {
    for (const language of textLanguages) {
      expect([language, terms(pointed, language)]).toStrictEqual([language, terms(plain, language)]);
      expect([language, queryTerms(pointed, language)]).toStrictEqual([language, queryTerms(plain, language)]);
    }
  });

  it.each([
    ['english', 'information', 'This in\u00adfor\u00adma\u00adtion counts.'],
    ['german', 'Donaudampfschiff', 'die Donau\u00addampf\u00adschiffe'],
    ['french', 'éducation', 'l’édu\u00adcation'],
    ['none', 'ok', 'ok\ufe0f'],
  ] as const)('finds a word in spite of what is not seen in it: %s, %s', (language, query, text) => {
    expect(terms(text, language)).toStrictEqual(expect.arrayContaining(queryTerms(query, language)));
    expect([...analyzerOf(language).termsOfText(text)]).toStrictEqual(terms(text, language));
    expect([...analyzerOf(language).wordsOfText(text)].join(' ')).not.toMatch(/\u00ad|\ufe0f/);
  });

  it('returns short terms for a character with thousands of marks', () => {
    for (const text of [`字${'\u0483'.repeat(5_000)}典`, `\u1112${'\u1161'.repeat(5_000)}`]) {
      const lengths = terms(text).map(({ length }) => length);
      expect([lengths.length > 0, Math.max(...lengths) <= 64]).toStrictEqual([true, true]);
    }
  });

  it('finds no word in a mark without a letter, such as the second half of an emoji', () => {
    expect(queryTerms('❤️ ☀️')).toStrictEqual([]);
    expect(terms('I ❤️ clay')).toStrictEqual(['clay']);
  });

  it.each([
    ['機械学習', '新しい機械学習の基礎'],
    ['東京', '日本の首都は東京都です。'],
    ['データ', '大きなデータベース'],
    ['ひらがな', 'これはひらがなです'],
    ['검색', '문서검색 시스템'],
    ['인공지능', '인공지능은 사람의'],
    ['ภาษา', 'เรียนภาษาไทยง่าย'],
    ['ສະບາຍ', 'ສະບາຍດີ'],
    ['𠮷野', '𠮷野家で食べる'],
    ['学', '大学'],
    ['LINE使', '新LINE使い方'],
  ])('finds %s in a text without spaces, in every language', (query, text) => {
    for (const language of textLanguages) {
      const wanted = queryTerms(query, language);
      expect(wanted.length).toBeGreaterThan(0);
      expect(terms(text, language)).toStrictEqual(expect.arrayContaining(wanted));
    }
  });
});
