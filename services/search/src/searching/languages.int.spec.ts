// Real: Postgres. Faked: the files service.
import { describe } from '@jest/globals';
import { describeLanguages } from '../test/contract/languages.js';
import { startSearch } from '../test/search-harness.js';

describe('files of several languages', () => {
  describeLanguages(startSearch);
});
