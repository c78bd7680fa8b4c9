// Real: Postgres, the object store. Faked: nothing. The bounds of a statement are lowered, so that a small tenant exceeds them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unpackIds } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { NUMBERS_PER_WINDOW } from '../postings/domain/number-set.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

const CHUNKS = 1_000;
const FILES = 36;

describe('a search of a large tenant', () => {
  let kiln: SearchHarness;
  const tenantId = randomUUID();
  beforeAll(async () => {
    kiln = await startSearch();
    expect(FILES * CHUNKS).toBeGreaterThan(NUMBERS_PER_WINDOW);
    for (let file = 0; file < FILES; file++) {
      const chunks = Array.from({ length: CHUNKS }, (_, n) => `word${(file * 7 + n) % 900} every${n % 3}`);
      await kiln.index({ tenantId, fileId: randomUUID(), space: `s${file % 4}`, chunks });
    }
    await kiln.merge(tenantId);
    await kiln.index({ tenantId, chunks: ['word1 word2 every1 in the tail'] });
  });
  afterAll(() => kiln.close());

  const answers = async () => {
    const found = [];
    const clauses = ['every1 -word5', '"word3" every2 -word9', '"word5 every1"', 'every0 -"word5 every0" -nowhere'];
    for (const query of ['word1 word2', 'every1 word5', 'every0 every2', 'nowhere', ...clauses]) {
      for (const filter of [{}, { space: 's1' }]) {
        const { results, total } = await kiln.search(tenantId, query, filter);
        found.push({ query, total, files: results.map(({ file_id, score }) => `${score.toFixed(9)} ${file_id}`) });
      }
    }
    return found;
  };

  it('returns the same results from several ranges as from one statement', async () => {
    const whole = await answers();
    expect(whole[0]?.total).toBe(FILES + 1);
    for (const bytes of [5_000, 40_000]) {
      kiln.searches.scans.rangeBytes = bytes;
      expect(await answers()).toStrictEqual(whole);
    }
  });

  it('finds the same files with all words from several ranges as from one statement, and notices too many', async () => {
    const { matches } = kiln;
    const texts = ['word1 word2', 'every1 word5', 'every0 every2', 'nowhere', 'word7', 'every1 nowhere'];
    const find = () =>
      Promise.all(
        texts.map(async (text) => {
          const { packed } = await matches.match(tenantId, text, []);
          return packed === null ? null : unpackIds(packed).toSorted();
        }),
      );
    matches.rangeBytes = 2 ** 24;
    const whole = await find();
    expect(whole.map((ids) => ids?.length)).toStrictEqual([FILES + 1, FILES, FILES, 0, FILES, 0]);
    matches.rangeBytes = 5_000;
    expect(await find()).toStrictEqual(whole);
    // The former version of a file does not count.
    const [replaced] = whole[0] ?? [];
    await kiln.index({ tenantId, fileId: replaced ?? '', jobNumber: 2, chunks: ['word1 word2 every1'] });
    matches.filesMax = FILES + 1;
    expect((await find())[0]).toStrictEqual(whole[0]);
    matches.filesMax = FILES;
    expect((await find())[0]).toBeNull();
  });
});
