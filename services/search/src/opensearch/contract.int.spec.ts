// Real: OpenSearch, Postgres, the object store. Faked: the files service. It is skipped where OpenSearch is not installed.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeFilters } from '../test/contract/filters.js';
import { describeLanguages } from '../test/contract/languages.js';
import { describePhrases } from '../test/contract/phrases.js';
import { describeReplace } from '../test/contract/replace.js';
import { describeSearch } from '../test/contract/search.js';
import { openSearchMissing, startOpenSearch, type OpenSearchNodes } from '../test/opensearch-nodes.js';
import { RemoteCollection } from '../test/remote-collection.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

const missing = await openSearchMissing();

(missing === null ? describe : describe.skip)(`the text index in OpenSearch${missing ? ` (${missing})` : ''}`, () => {
  let nodes: OpenSearchNodes;
  beforeAll(async () => {
    nodes = await startOpenSearch();
  });
  afterAll(() => nodes.stop());

  const start = () => startSearch({ openSearch: nodes.urls });
  const startMerging = () => startSearch({ openSearch: nodes.urls, mergesAtOnce: true });

  describe('search', () => {
    describeSearch(startMerging);
  });
  describe('a search with a filter', () => {
    describeFilters(startMerging);
  });
  describe('replacing the index of a file', () => {
    describeReplace(startMerging);
  });
  describe('phrases and exclusions', () => {
    describePhrases(start);
  });
  describe('files of several languages', () => {
    describeLanguages(start);
  });

  describe('the ranking', () => {
    let kiln: SearchHarness;
    beforeAll(async () => {
      kiln = await start();
      // All texts are checked, because the model has no bounds.
      for (const bound of Object.keys(kiln.searches.checkBounds))
        Object.assign(kiln.searches.checkBounds, { [bound]: 1_000_000 });
    });
    afterAll(async () => {
      await kiln.close();
    });

    it.each([7])(
      'equals exhaustive BM25, and matches exactly the files with all words, over files in the tail, in OpenSearch and in both (seed %i)',
      async (seed) => {
        const collection = new RemoteCollection(seed, kiln);
        for (let round = 0; round < 24; round++) {
          await collection.change();
          await collection.beforeCompare();
          await collection.compare();
          await collection.compareMatches();
        }
        const { withClauses, foundPhrases, inSeveralLanguages, matches } = collection.counts();
        expect(collection.withFormerVersions).toBeGreaterThan(0);
        expect(withClauses).toBeGreaterThan(20);
        expect(foundPhrases).toBeGreaterThan(0);
        expect(matches).toBeGreaterThan(50);
        expect(inSeveralLanguages).toBeGreaterThan(10);
      },
    );
  });
});
