import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '@kiln/platform';
import { stemEnglish } from './english-stemmer.js';
import { startSearch, type SearchHarness } from '../../test/search-harness.js';

const beginnings = `act aggr ann appl archaeolog b beauti ca comm commun conclu consol cr dec depend differ do ed electr
  exc ey fall feud form fr gener gr happ hop hopp inn kn l languid man nation or org pa pla proc radi relat s sens sk
  sta succ t try us util vile w x yell`.split(/\s+/);
const endings = `a able ably al alism alities alize alizes ance ancy ant ate ated ately ates ating ation ational ations
  ative ator bly cal d ded e eed eedly ed edly ement en ence ency ent ently er es ful fulness ged ic icate icities ied
  ier ies iest ing ingly ion ional ions ism isms ity ive iveness ivities ization ize izer l less lessly li ll ly ment
  ness ogies ogy ous ously ousness s ses ss sses sted sy tion us y yed ying ys`.split(/\s+/);

describe('the English stemmer', () => {
  let kiln: SearchHarness;
  beforeAll(async () => {
    kiln = await startSearch();
  });
  afterAll(() => kiln.close());

  it("agrees with PostgreSQL's Snowball stemmer on thousands of word forms", async () => {
    const words = beginnings.flatMap((beginning) => endings.map((ending) => beginning + ending));
    const lexize = statement(
      'test.lexize',
      `select word, (ts_lexize('english_stem', word))[1] as stem from unnest($1::text[]) word`,
    );
    const rows = await kiln.database.query<{ word: string; stem: string | null }>(lexize, [words]);
    // Null is a stop word, which is dropped before it would be stemmed.
    const wrong = rows.filter(({ word, stem }) => stem !== null && stem !== stemEnglish(word));
    expect(wrong.map(({ word, stem }) => `${word}: ${stem}, not ${stemEnglish(word)}`)).toStrictEqual([]);
  });
});
