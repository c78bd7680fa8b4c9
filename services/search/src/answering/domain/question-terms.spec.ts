import { describe, expect, it } from '@jest/globals';
import type { TextLanguage } from '@kiln/contracts';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import { weighTerms } from '../../searching/domain/bm25.js';
import { searchQueryOf } from '../../searching/domain/search-query.js';
import { QuestionWords } from './question-terms.js';

const SMALL = 6;
const LARGE = 20_000;

interface Collection {
  passages: number;
  /** How many passages contain a term. Terms that are not listed are in one passage. */
  frequencies?: Record<string, number>;
  language?: TextLanguage;
}

function isRelevant(question: string, text: string, { passages, frequencies = {}, language = 'english' }: Collection) {
  const query = searchQueryOf(question, [language]);
  const totals = { chunks: passages, chunkLength: passages, titles: 0, titleLength: 0 };
  const counts = query.terms.map(({ term }) => frequencies[term] ?? 1);
  const weights = weighTerms(query, counts, totals);
  const terms = new QuestionWords(query.terms, weights).in(language);
  return terms.relevanceOf(new Set(terms.repeatsIn(text).keys())) >= 1;
}

/** Counts each term of the text in one passage, and any other term in none. */
function countsIn(text: string, language: TextLanguage): Record<string, number> {
  const terms = new Set(analyzerOf(language).termsOfText(text));
  return new Proxy({}, { get: (_none, term) => (terms.has(String(term)) ? 1 : 0) });
}

describe('a text is relevant to a question', () => {
  it('that has one word which it contains', () => {
    for (const passages of [1, SMALL, LARGE, 1e9]) expect(isRelevant('kiln?', 'The kiln.', { passages })).toBe(true);
    expect(isRelevant('kiln?', 'The oven.', { passages: 1 })).toBe(false);
  });

  it('not if it contains common words only, in a tenant of any size', () => {
    const question = 'At what time of the year is the kiln fired?';
    const text = 'At this time of the year, numbers are low.';
    for (const passages of [1, SMALL, LARGE]) {
      const frequencies = { time: passages / 10, year: passages / 10 };
      expect(isRelevant(question, text, { passages, frequencies })).toBe(false);
      expect(isRelevant(question, 'The kiln is fired in May.', { passages, frequencies })).toBe(true);
    }
  });

  it('if it contains the rare words, not if it contains the frequent ones', () => {
    const frequencies = { visit: 4_000, chapel: 3 };
    const collection = { passages: LARGE, frequencies };
    expect(isRelevant('Who visits the chapel?', 'The chapel is closed.', collection)).toBe(true);
    expect(isRelevant('Who visits the chapel?', 'They visit a friend.', collection)).toBe(false);
  });

  it('if its one rare word outweighs a common word that is missing, but not if the rare word is missing', () => {
    for (const passages of [2, 4, 100, LARGE]) {
      for (const kept of [0, passages / 50]) {
        const frequencies = { kept };
        expect(isRelevant('Where is zorbaxil kept?', 'The room keeps zorbaxil.', { passages, frequencies })).toBe(true);
      }
      const nowhere = { passages, frequencies: { zqaaa: 0 } };
      const text = 'The secret of zqbbb is kept here.';
      expect(isRelevant('What is the secret of zqaaa?', text, nowhere)).toBe(false);
      expect(isRelevant('What is the glaze of zqaaa?', 'The glaze of zqbbb is here.', nowhere)).toBe(false);
    }
  });

  it('that has common words only, if it contains all of them', () => {
    const frequencies = { price: 2_000 };
    expect(isRelevant('What is the price?', 'The price is 5.', { passages: LARGE, frequencies })).toBe(true);
  });

  it('in a tenant of one text, although no text has all words of the question', () => {
    const text = 'The kiln is fired at 1,200 degrees.';
    const frequencies = { many: 0, potteri: 0 };
    const question = 'At how many degrees is the kiln of the pottery fired?';
    expect(isRelevant(question, text, { passages: 2, frequencies })).toBe(true);
    expect(isRelevant('How many degrees has a triangle?', text, { passages: 2, frequencies: { triangl: 0 } })).toBe(
      false,
    );
  });

  it('in scripts without spaces, but not for the endings that all questions share', () => {
    const language = 'none';
    const text = '窯は千二百度まで加熱します。';
    const frequencies = Object.fromEntries(['しま', 'ます', 'すか', 'です'].map((term) => [term, 300]));
    const collection = { passages: 1_000, frequencies, language } as const;
    expect(isRelevant('窯は何度まで加熱しますか?', text, collection)).toBe(true);
    expect(isRelevant('次の電車は何時に出発しますか?', text, collection)).toBe(false);
  });

  it('in every language by the same measure', () => {
    const german = { passages: 100, language: 'german' } as const;
    expect(isRelevant('Wie lange muss der Ofen abkühlen?', 'Der Ofen kühlt ab. Er muss abkühlen.', german)).toBe(true);
    expect(
      isRelevant('Welche Sprache spricht man in Brasilien?', 'Die Sprache des Vertrags ist Deutsch.', german),
    ).toBe(false);
  });

  it.each([
    ['danish', 'Hvor opbevares zorbaxil?', 'Rummet har zorbaxil på hylden.'],
    ['dutch', 'Hoeveel kost de bezorging?', 'De bezorging is 5 euro.'],
    ['english', 'How long does the warranty last?', 'The warranty covers two years.'],
    ['english', 'Who invented the telescope?', 'Galileo built the telescope in 1609.'],
    ['finnish', 'Milloin kokous alkaa?', 'Kokous on kello yhdeksän.'],
    ['french', 'Où se trouve la clé ?', 'La clé est accrochée au crochet.'],
    ['french', 'Combien coûte la livraison ?', 'La livraison est à 5 euros.'],
    ['german', 'Wo wird Zorbaxil aufbewahrt?', 'Der Raum enthält Zorbaxil im Regal.'],
    ['german', 'Wo liegt der Schlüssel?', 'Der Schlüssel hängt am Haken.'],
    ['german', 'Wann beginnt die Sitzung?', 'Die Sitzung fängt um 9 Uhr an.'],
    ['hungarian', 'Hol van a kulcs?', 'A kulcs a horgon lóg.'],
    ['italian', 'Quando inizia la riunione?', 'La riunione è alle nove.'],
    ['norwegian', 'Hvor oppbevares zorbaxil?', 'Rommet har zorbaxil på hyllen.'],
    ['portuguese', 'Onde é guardado o zorbaxil?', 'A sala tem zorbaxil na prateleira.'],
    ['romanian', 'Unde este păstrat zorbaxil?', 'Camera are zorbaxil pe raft.'],
    ['russian', 'Где хранится зорбаксил?', 'В комнате зорбаксил на полке.'],
    ['spanish', '¿Cuánto cuesta el envío?', 'El envío sale por 5 euros.'],
    ['swedish', 'Var förvaras zorbaxil?', 'Rummet har zorbaxil på hyllan.'],
    ['none', 'Gdzie jest przechowywany zorbaxil?', 'Pokój ma zorbaxil na półce.'],
    ['none', 'Where is zorbaxil kept?', 'The room keeps zorbaxil on the shelf.'],
    ['none', '鍵はどこにありますか？', '鍵は玄関のフックに掛かっています。'],
    ['none', '钥匙在哪里？', '钥匙挂在门口的钩子上。'],
  ] as const)('in %s if it misses only words that any question asks with: %s', (language, question, text) => {
    for (const passages of [2, 40]) {
      expect(isRelevant(question, text, { passages, language, frequencies: countsIn(text, language) })).toBe(true);
    }
  });

  it.each([
    ['french', 'Combien coûte le billet ?', 'La livraison coûte 5 euros.'],
    ['german', 'Was ist das Geheimnis von Zqaaa?', 'Das Geheimnis von Zqbbb wird hier verwahrt.'],
    ['german', 'Wie viel kostet die Eintrittskarte?', 'Der Versand kostet 5 Euro.'],
    ['romanian', 'Care este secretul lui zqaaa?', 'Secretul lui zqbbb este aici.'],
    ['russian', 'В чём секрет зкааа?', 'Секрет зкббб хранится здесь.'],
    ['spanish', '¿Cuándo nació Mozart?', 'Einstein nació en 1879.'],
    ['none', 'What is the secret of zqaaa?', 'The secret of zqbbb is kept here.'],
    ['none', '切符はいくらですか？', '送料は500円です。'],
  ] as const)('in %s not if it misses what is asked about: %s', (language, question, text) => {
    for (const passages of [2, 40]) {
      expect(isRelevant(question, text, { passages, language, frequencies: countsIn(text, language) })).toBe(false);
    }
  });
});
