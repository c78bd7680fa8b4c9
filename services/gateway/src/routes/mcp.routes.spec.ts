import { describe, expect, it } from '@jest/globals';
import { mcpRoutes } from './mcp.routes.js';
import { unitsOfListedWords, unitsOfWords } from './search.routes.js';

const WORDS = Array.from({ length: 60 }, (_, index) => `w${index}`).join(' ');

describe('the call of a tool', () => {
  const unitsOf = (args: object): number | undefined => {
    const row = mcpRoutes.find(({ name }) => name === 'mcp');
    return row?.units?.({ jsonrpc: '2.0', params: { arguments: args } }, {});
  };

  it('weighs as much as a request with the same words to the endpoint of the tool', () => {
    expect(unitsOf({ query: WORDS })).toBe(unitsOfWords(WORDS));
    expect(unitsOf({ question: WORDS })).toBe(unitsOfWords(WORDS));
    expect(unitsOf({ search: WORDS })).toBe(unitsOfListedWords(WORDS));
  });

  it('weighs no less with an argument that its tool does not have', () => {
    expect(unitsOf({ query: WORDS, question: 1, search: null })).toBe(unitsOfWords(WORDS));
  });
});
