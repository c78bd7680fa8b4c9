import { describe, expect, it } from '@jest/globals';
import { routeTable } from '../routes/table.routes.js';
import { openApiDocument } from './document.view.js';

const VERBS =
  'Abort Answer Begin Browse Cancel Check Commit Complete Create Delete Download Get List Preview Process Recover Replace Replay Resend Retry Revoke Rotate Search Send Set Stream Sync Test Update Upload Verify'.split(
    ' ',
  );
const SUMMARY_WORDS_MAX = 8;

/** Returns every text under `key`, wherever in the document. */
function textsOf(key: string, node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === key && typeof value === 'string' ? [value] : textsOf(key, value),
  );
}

describe('the texts of the OpenAPI document', () => {
  const document = openApiDocument(routeTable, { version: '1.0.0', publicUrl: undefined });

  it.each(routeTable)(
    'summarize $name in a sentence: an imperative verb and its object, in at most eight words',
    ({ summary }) => {
      const words = summary.split(' ');
      expect(VERBS).toContain(words[0]);
      expect(words.length).toBeGreaterThanOrEqual(2);
      expect(words.length).toBeLessThanOrEqual(SUMMARY_WORDS_MAX);
      expect(summary).toMatch(/^[^,;:.]+\.$/);
    },
  );

  it('describe everything in sentences, which begin with a capital letter or code and end with a full stop', () => {
    const descriptions = textsOf('description', document);
    expect(descriptions.length).toBeGreaterThan(200);
    for (const description of descriptions) expect(description).toMatch(/^[A-Z`][^]*(\.|`)$/);
  });
});
