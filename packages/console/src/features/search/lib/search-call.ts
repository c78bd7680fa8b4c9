import { callsWith, type ApiCall } from '../../../ui/api-call.js';
import { filtersOf, type SearchAddress } from './search-address.js';

const read = callsWith('search:read');

/** The search, or the question, as a call of the API. */
export function searchCall(address: SearchAddress): ApiCall {
  const { q = '', view = 'hybrid', space } = address;
  if (view === 'ask') return read('Ask', 'search.ask', { question: q, ...(space !== undefined && { space }) });
  const mode = view === 'compare' ? 'hybrid' : view;
  return read('Search', 'search.query', { query: q, mode, group: 'chunk', ...filtersOf(address) });
}
