import type { ApiCall } from '../../../ui/api-call.js';
import { filtersOf, type SearchAddress } from './search-address.js';

/** The search, or the question, as a call of the API. */
export function searchCall(address: SearchAddress): ApiCall {
  const { q = '', view = 'hybrid', space } = address;
  const post = { scope: 'search:read', method: 'POST' } as const;
  if (view === 'ask') {
    const body = { question: q, ...(space !== undefined && { space }) };
    return { title: 'Ask', ...post, path: '/v1/qa', body, sdk: 'search.ask', args: [body] };
  }
  const body = { query: q, mode: view === 'compare' ? 'hybrid' : view, group: 'chunk', ...filtersOf(address) };
  return { title: 'Search', ...post, path: '/v1/search', body, sdk: 'search.query', args: [body] };
}
