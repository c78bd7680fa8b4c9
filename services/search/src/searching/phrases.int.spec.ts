// Real: Postgres. Faked: the files service.
import { describe } from '@jest/globals';
import { describePhrases } from '../test/contract/phrases.js';
import { startSearch } from '../test/search-harness.js';

describe('phrases and exclusions', () => {
  describePhrases(startSearch);
});
