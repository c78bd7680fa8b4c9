import { DEFAULT_SEARCH_LANGUAGE } from '@kiln/contracts';
import type { RunPolicy } from '../organization/policies/run-policy.domain.js';

/** The policy of an organization that has chosen nothing. */
export const managedPolicy: RunPolicy = {
  isTest: false,
  ruledProvider: () => Promise.resolve(null),
  searchLanguage: () => Promise.resolve(DEFAULT_SEARCH_LANGUAGE),
  keyOf: () => Promise.resolve(null),
  extractorOf: () => Promise.resolve(null),
};
