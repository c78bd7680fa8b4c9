import { describe, expect, it } from '@jest/globals';
import { encodeId, MESSAGE_BYTES_MAX, type FileDetails } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import type { FoundChunk } from './found.js';
import { showResults } from './show-results.js';

const terms = { terms: [{ language: 'english' as const, term: 'x' }], weights: [1] };

/** Results whose snippets are as long as any, since each quote takes six characters, and each x is marked. */
function longResults(count: number, details: Partial<FileDetails>) {
  const content = { text: '"x'.repeat(1_000), start: 0, end: 2_000, page: 1, headings: [], lines: [] };
  const chunks = Array.from({ length: count }, (): FoundChunk => {
    const scores = { text: 0.123_456_789_012_345, vector: null, rerank: null };
    return { fileId: randomUUID(), chunk: 0, score: 0.5, scores, content: { ...content, language: 'english' } };
  });
  const file = { filename: 'x', space: 'x', content_type: null, external_id: null, metadata: {}, ...details };
  const of = ({ fileId }: FoundChunk): [string, FileDetails] => [
    fileId,
    { ...file, file_id: encodeId('file', fileId), created_at: '2026-01-01 00:00:00' },
  ];
  return { chunks, details: new Map(chunks.map(of)) };
}

describe('results of the largest size', () => {
  it.each<[string, Partial<FileDetails>, number]>([
    ['short names', {}, 200],
    ['long names', { filename: '"'.repeat(255), space: 's'.repeat(64), external_id: '窯'.repeat(255) }, 200],
    ['the longest names', { filename: '"'.repeat(255), external_id: '\u0001'.repeat(255) }, 100],
  ])('fit into a message with %s', async (_name, names, least) => {
    const { chunks, details } = longResults(200, { ...names, content_type: `application/${'x'.repeat(243)}` });
    const results = await showResults(terms, chunks, details);
    expect(Buffer.byteLength(JSON.stringify(results))).toBeLessThan(MESSAGE_BYTES_MAX - 20_000);
    expect(results.length).toBeGreaterThanOrEqual(least);
    expect(results[0]).toMatchObject({ chunk_text_truncated: true, omitted: expect.arrayContaining(['highlights']) });
  });
});
