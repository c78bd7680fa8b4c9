// Real: Postgres, the object store. Faked: the files service.
import { describe } from '@jest/globals';
import { describeSearch } from '../test/contract/search.js';
import { startSearch } from '../test/search-harness.js';

describe('search', () => {
  describeSearch(startSearch);
});
