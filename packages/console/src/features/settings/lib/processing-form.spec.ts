import { describe, expect, it } from '@jest/globals';
import { processingFormOf, processingRequestOf, toggledVariant, type Settings } from './processing-form.js';

const settings: Settings = {
  default_embedding_model: 'text-embedding-3-small',
  default_chunking: { strategy: 'recursive', chunk_size: 1000, chunk_overlap: 200 },
  default_variants: ['markdown', 'embeddings'],
  search_language: 'english',
  answer_instructions: null,
};
const form = processingFormOf(settings);

describe('the processing settings', () => {
  it('are sent only as far as they have changed, and the chunking as a whole', () => {
    expect(processingRequestOf(form, new Set())).toStrictEqual({});
    expect(processingRequestOf({ ...form, language: 'german' }, new Set(['language']))).toStrictEqual({
      search_language: 'german',
    });
    expect(
      processingRequestOf({ ...form, chunkSize: '300', chunkOverlap: '50' }, new Set(['chunkSize'])),
    ).toStrictEqual({
      default_chunking: { strategy: 'recursive', chunk_size: 300, chunk_overlap: 50 },
    });
  });

  it('have no instructions where the text is blank', () => {
    expect(processingRequestOf({ ...form, instructions: ' ' }, new Set(['instructions']))).toStrictEqual({
      answer_instructions: null,
    });
  });

  it('send an empty size as null, which the API refuses', () => {
    const request = processingRequestOf({ ...form, chunkSize: '' }, new Set(['chunkSize']));
    expect(JSON.stringify(request)).toContain('"chunk_size":null');
  });

  it('keep variants in their order', () => {
    expect(toggledVariant(['markdown', 'metadata'], 'embeddings')).toStrictEqual([
      'markdown',
      'embeddings',
      'metadata',
    ]);
    expect(toggledVariant(['markdown', 'metadata'], 'markdown')).toStrictEqual(['metadata']);
  });
});
