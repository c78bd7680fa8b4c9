// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Statement } from '@kiln/platform';
import { testSeed } from '@kiln/testing/seed';
import { RandomCollection } from '../test/random-collection.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';
import { readFacets } from '../text-index/read-index.statements.js';

describe('the ranking', () => {
  let kiln: SearchHarness;
  /** Reads of facets after the words. */
  let facetReads = 0;
  beforeAll(async () => {
    kiln = await startSearch();
    const query = kiln.database.query.bind(kiln.database);
    kiln.database.query = (given: Statement, values?: unknown[]) => {
      facetReads += given.name === readFacets.name ? 1 : 0;
      return query(given, values);
    };
    // All texts are checked, because the model has no bounds.
    for (const bound of Object.keys(kiln.searches.checkBounds))
      Object.assign(kiln.searches.checkBounds, { [bound]: 1_000_000 });
    kiln.searches.checkBounds.passagesPerStatement = 100;
  });
  afterAll(() => kiln.close());

  const seed = testSeed();
  it(`equals exhaustive BM25, in one range or in many, and matches exactly the files with all words, over files of three languages, through additions, replacements, deletions, merges and purges (seed ${seed})`, async () => {
    const collection = new RandomCollection(seed, kiln);
    for (let round = 0; round < 80; round++) {
      await collection.change();
      // In every fourth round, a search reads several ranges.
      kiln.searches.scans.rangeBytes = round % 4 === 0 ? 10_000 : 2 ** 26;
      // In every other, a filtered search reads the facets after the words.
      kiln.searches.scans.facetBounds = { postings: 10_000, blocks: round % 2 === 0 ? 64 : 0 };
      kiln.matches.rangeBytes = kiln.searches.scans.rangeBytes;
      await collection.compare();
      await collection.compareMatches();
    }
    const { purges, duringPurges, partly, withClauses, foundPhrases, inSeveralLanguages, matches } =
      collection.counts();
    expect(facetReads).toBeGreaterThan(20);
    facetReads = 0;
    expect(purges).toBeGreaterThan(0);
    expect(duringPurges).toBeGreaterThan(0);
    expect(partly).toBeGreaterThan(0);
    expect(withClauses).toBeGreaterThan(50);
    expect(foundPhrases).toBeGreaterThan(20);
    expect(matches).toBeGreaterThan(200);
    expect(inSeveralLanguages).toBeGreaterThan(50);
  });
});
