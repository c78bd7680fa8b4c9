// Real: Postgres, the object store. Faked: the files service.
import { describe } from '@jest/globals';
import { describeReplace } from '../test/contract/replace.js';
import { startSearch } from '../test/search-harness.js';

describe('replacing the index of a file', () => {
  describeReplace(startSearch);
});
