// Real: the object store. Faked: the files and jobs services.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, testTenantOf, type CallContext, type Operation } from '@kiln/contracts';
import { CLOSING, encodeVector, opening, SEPARATOR } from '@kiln/chunks/embeddings-variant';
import type { RpcClient } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { testStorage } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/search-harness.js';
import { IndexedFiles, isReplaced } from './indexed-files.adapter.js';

const index = {
  chunks: 1,
  model: null,
  indexed_at: '2026-11-21 09:30:08',
  source: {
    title: 'Title',
    language: 'de',
    chunking: { strategy: 'fixed', chunk_size: 100, chunk_overlap: 0 },
    pages: [{ page: 1, start: 0, end: 4, width: 595, height: 842, lines: [[0, 4, 1_000, 2_000, 500, 250] as const] }],
  },
};

describe('what the index of a file is made from', () => {
  let objects: ObjectStore;
  beforeAll(async () => {
    objects = createS3ObjectStore({ ...(await testStorage()), forcePathStyle: true });
    await objects.ensureBucket();
  });
  afterAll(() => objects.close());

  const tenantId = uuidv7();
  const fileId = encodeId('file', uuidv7());
  const asked: [string, CallContext][] = [];
  const filesWith = (variants: unknown[], content = '') => {
    const answers: Record<string, unknown> = {
      'files.getIndexedFile.v1': { file_id: fileId },
      'files.listVariants.v1': { variants },
      'files.getVariantContent.v1': { content },
      'jobs.getSettings.v1': { search_language: 'german' },
    };
    const call = async (operation: Operation, _input: unknown, context: CallContext) => {
      asked.push([operation.subject, context]);
      return answers[operation.subject];
    };
    return new IndexedFiles({ call } as unknown as RpcClient, objects);
  };
  const small = (type: string, content: string | null) => ({ type, content, content_key: null });

  it('is read from the row of a small variant, from the object of a large one, or by a further call', async () => {
    const key = `${tenantId}/markdown.md`;
    await objects.put(key, '# Ünï', { contentType: 'text/markdown' });
    const record = small('searchable-index', JSON.stringify(index));
    const large = { type: 'markdown', content: null, content_key: key };
    const context = contextOf(tenantId);
    expect(await filesWith([record, large]).find(fileId, context)).toStrictEqual({
      file: { file_id: fileId },
      index,
      markdown: '# Ünï',
      embeddings: null,
    });
    const left = filesWith([record, small('markdown', null)], '# Left out');
    expect((await left.find(fileId, context)).markdown).toBe('# Left out');
    expect((await filesWith([record]).find(fileId, context)).markdown).toBeNull();
  });

  it('includes the vectors of the chunks, which are read as a stream', async () => {
    const key = `${tenantId}/embeddings.json`;
    const lines = [
      [1, 2],
      [3, 4],
    ].map((embedding, at) => JSON.stringify({ index: at, text: '…', embedding }));
    await objects.put(key, `${opening('small', 2)}${lines.join(SEPARATOR)}${CLOSING}`, { contentType: 'text/plain' });
    const record = small('searchable-index', JSON.stringify(index));
    const files = filesWith([record, { type: 'embeddings', content: null, content_key: key }]);
    const { embeddings } = await files.find(fileId, contextOf(tenantId));
    expect([embeddings?.model, embeddings?.dimensions]).toStrictEqual(['small', 2]);
    for (let n = 0; n < 2; n++) {
      const vectors: string[] = [];
      for await (const vector of embeddings?.vectors() ?? []) vectors.push(vector);
      expect(vectors).toStrictEqual([encodeVector([1, 2]), encodeVector([3, 4])]);
    }
  });

  it('was replaced when its object does not exist any more', async () => {
    const record = small('searchable-index', JSON.stringify(index));
    const files = filesWith([record, { type: 'markdown', content: null, content_key: `${tenantId}/gone` }]);
    const error: unknown = await files.find(fileId, contextOf(tenantId)).catch((failure: unknown) => failure);
    expect(isReplaced(error)).toBe(true);
  });

  it('has the language of the organization in test mode too', async () => {
    const test = testTenantOf(tenantId);
    expect(await filesWith([]).languageOf({ ...contextOf(test), mode: 'test' })).toBe('german');
    expect(asked.at(-1)).toMatchObject(['jobs.getSettings.v1', { tenantId, mode: 'live' }]);
  });
});
