import { describe, expect, it } from '@jest/globals';
import { routeTable } from '../routes/route-table.js';
import { openApiDocument } from './document.js';

const VERBS =
  'Browse Cancel Check Commit Create Delete Download Get List Preview Process Recover Replace Replay Resend Retry Revoke Rotate Search Send Set Sync Test Update Upload Verify';
const SUMMARY_WORDS_MAX = 8;

/** Every text that stands under `key`, wherever in the document. */
function textsOf(key: string, node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === key && typeof value === 'string' ? [value] : textsOf(key, value),
  );
}

describe('the texts of the OpenAPI document', () => {
  const document = openApiDocument(routeTable, { version: '1.0.0', publicUrl: undefined });

  it('summarize each operation by an imperative verb and its object, in at most eight words', () => {
    const verbs = VERBS.split(' ');
    for (const { name, summary } of routeTable) {
      const words = summary.split(' ');
      expect([name, summary, VERBS, verbs.includes(words[0] ?? '')]).toStrictEqual([name, summary, VERBS, true]);
      expect([name, summary, words.length >= 2 && words.length <= SUMMARY_WORDS_MAX]).toStrictEqual([
        name,
        summary,
        true,
      ]);
      expect([name, summary]).toStrictEqual([name, expect.not.stringMatching(/[,;:.]/)]);
    }
  });

  it('describe everything in sentences, which begin with a capital letter or code and end with a full stop', () => {
    const descriptions = textsOf('description', document);
    expect(descriptions.length).toBeGreaterThan(200);
    for (const description of descriptions) expect(description).toMatch(/^[A-Z`][^]*(\.|`)$/);
  });
});
