// Real: Postgres, which has Snowball's stemmers and stop words, of version 3. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TextLanguage } from '@kiln/contracts';
import { statement } from '@kiln/platform';
import { startSearch, type SearchHarness } from '../../test/search-harness.js';
import { stemmers } from './stemmers.js';
import { stopWords } from './stop-words.js';

const BEGINNINGS =
  `abr acc beam cant cas comm constr deb domin est form fabrik grand häus hiv ind israel kal kirj lehr lib maal mund nat
  naz organiz pal part priv qual rég sent sist skriv social stor tal temp univers vak vend vår wohn água être özön`.split(
    /\s+/,
  );

/** Endings of each language, and the maximum share of words for which version 3 gives another stem. */
const CASES: [TextLanguage, number, string][] = [
  ['danish', 0, 'e en er erne ernes et hed heder ig igst lig løst s sk ende ene eres ethed'],
  ['dutch', 0.4, 'en de e heid heden lijk ing ingen je s baar isme tie end iger sten'],
  ['finnish', 0, 'a ssa sta lla lta lle n t iin ja jen ksi nsa mme kin kaan minen isuus ton'],
  ['french', 0.05, 'e er ions aient ation ations ment ements eux euse ité ités ique istes able ence issons âmes'],
  ['german', 0.05, 'e en er es ern ung ungen lich heit keit isch ig end et st bar los'],
  ['hungarian', 0, 'ok ak ban ben ból nak nek val vel hoz hez ért ig ként t tól unk átok ai'],
  ['italian', 0, 'o i a e are ato ati azione azioni mente ità ivo ivi ista iste ando endo abile anza'],
  ['norwegian', 0.05, 'e en er ene ens et het hets ende erte lig leg ig els else elsene'],
  ['portuguese', 0, 'o os a as ar ado ados ação ações mente idade idades ista ismo ável ando íamos'],
  ['romanian', 0.05, 'ul ului ii ilor ea e are ate ație mente itate ist iste abil ând eze'],
  ['russian', 0, ''],
  ['spanish', 0, 'o os a as ar ado ados ación aciones mente idad idades ista ismo able ando íamos amente'],
  ['swedish', 0.05, 'a ar ade aren arna en er et het heten lig ligt ande ast else s'],
];
const RUSSIAN = [
  'дом книг красив говор работ организац стран',
  'а ы ов ами ах ый ого ему ая ую ить ила ание ения ость ости',
];

/** Snowball's page has these words, which PostgreSQL's list lacks. */
const FRENCH_PRONOUNS = 'ceci cela celà cet cette ici ils les leurs quel quels quelle quelles sans soi';

const lexizeWords = statement(
  'test.lexize_words',
  'select word, (ts_lexize($2::text::regdictionary, word))[1] as stem from unnest($1::text[]) as word',
);

describe('the stemmers', () => {
  let kiln: SearchHarness;
  beforeAll(async () => {
    kiln = await startSearch();
  });
  afterAll(() => kiln.close());

  const lexize = (language: TextLanguage, words: readonly string[]) =>
    kiln.database.query<{ word: string; stem: string | null }>(lexizeWords, [words, `${language}_stem`]);

  it.each(CASES)("agree with PostgreSQL's on word forms: %s", async (language, shareMax, endings) => {
    const [beginnings, ends] =
      language === 'russian' ? RUSSIAN.map((list) => list.split(' ')) : [BEGINNINGS, endings.split(' ')];
    const words = (beginnings ?? []).flatMap((beginning) => (ends ?? []).map((ending) => beginning + ending));
    const rows = (await lexize(language, words)).filter(({ stem }) => stem !== null);
    const wrong = rows.filter(({ word, stem }) => stemmers[language](word) !== stem);
    const differences = wrong.map(({ word, stem }) => `${word}: ${stem}, not ${stemmers[language](word)}`);
    const allowed = Math.floor(rows.length * shareMax);
    expect(rows.length).toBeGreaterThan(70);
    expect(differences.slice(allowed)).toStrictEqual([]);
  });

  it.each(CASES.filter(([language]) => stopWords[language].size > 0))(
    "drop only words that are stop words in PostgreSQL's list: %s",
    async (language) => {
      const rows = await lexize(language, [...stopWords[language]]);
      const others = rows.filter(({ stem }) => stem !== null).map(({ word }) => word);
      expect(others.join(' ')).toBe(language === 'french' ? FRENCH_PRONOUNS : '');
    },
  );
});
