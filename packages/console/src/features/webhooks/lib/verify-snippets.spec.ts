import { expect, it } from '@jest/globals';
import { bodyOf, snippetLanguages, verifySnippets } from './verify-snippets.js';

const payload = { id: 'evt_1', type: 'file.created', data: { filename: 'a "quoted" \\ name\n${x}\u2028.md' } };

it.each(snippetLanguages)('the snippet in %s has the very body in one line, and the id of the event', (language) => {
  const snippet = verifySnippets[language]({ eventId: 'evt_1', payload });
  const literal = /^(?:const )?body = ("[^\n]*");?$/m.exec(snippet)?.[1] ?? '';
  expect(JSON.parse(literal)).toBe(bodyOf(payload));
  expect(snippet).toContain('"webhook-id": "evt_1"');
});

it('the secret comes from the environment', () => {
  for (const language of snippetLanguages) {
    expect(verifySnippets[language]({ eventId: 'evt_1', payload })).toMatch(/environ|process\.env/);
    expect(verifySnippets[language]({ eventId: 'evt_1', payload })).not.toContain('whsec_');
  }
});
