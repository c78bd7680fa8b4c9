// Real: Postgres. Faked: the files service, which applies filters; the provider of embeddings.
import { describe } from '@jest/globals';
import { describeFilters } from '../test/contract/filters.js';
import { startSearch } from '../test/search-harness.js';

describe('a search with a filter', () => {
  describeFilters(startSearch);
});
