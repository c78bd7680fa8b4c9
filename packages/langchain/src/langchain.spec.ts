// The retriever and the loader, against functions in place of a server.
import { expect, it } from '@jest/globals';
import { createTestKiln, problem } from '@kiln/sdk/testing';
import { KilnLoader, KilnRetriever, type KilnLoaderInput } from './index.js';

const RESULT = {
  file_id: 'file_1',
  chunk_index: 3,
  score: 0.9,
  snippet: '<mark>ten</mark> years',
  chunk_text: 'ten years',
  chunk_text_truncated: false,
  text: 'ten years',
  page: 2,
  regions: [{ page: 2, x: 0, y: 0, width: 1, height: 0.1 }],
  headings: ['Zephyr', 'Warranty'],
  filename: 'zephyr.pdf',
  metadata: { year: '2026' },
};
const fileOf = (id: string) => ({ id, filename: `${id}.md`, space: 'a', content_type: null, external_id: null });
const chunkOf = (index: number) => ({ index, text: `chunk ${index}`, start: 0, end: 7, page: null, regions: [] });

it('the retriever searches chunks with its options, and returns them with their places', async () => {
  const { kiln, requests } = createTestKiln({ 'POST /v1/search': () => ({ results: [RESULT], served: ['text'] }) });
  const search = {
    space: 'a',
    mode: 'text',
    limit: 2,
    rerank: true,
    filter: { 'metadata.year': { gte: 2020 } },
  } as const;
  const found = await new KilnRetriever({ kiln, search, tags: ['t'], metadata: { run: 1 } }).invoke('warranty');
  expect(requests.map(({ body }) => body)).toStrictEqual([{ ...search, query: 'warranty', group: 'chunk' }]);
  expect(found.map((document) => ({ ...document }))).toStrictEqual([
    {
      id: 'file_1:3',
      pageContent: 'ten years',
      metadata: {
        file_id: 'file_1',
        chunk_index: 3,
        score: 0.9,
        chunk_text_truncated: false,
        page: 2,
        regions: RESULT.regions,
        headings: ['Zephyr', 'Warranty'],
        filename: 'zephyr.pdf',
        file_metadata: { year: '2026' },
        served: ['text'],
      },
    },
  ]);
});

it('the retriever rejects with the error of the API', async () => {
  const { kiln } = createTestKiln({ 'POST /v1/search': () => problem(403, 'FORBIDDEN') });
  await expect(new KilnRetriever({ kiln }).invoke('x')).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

it('callbacks of LangChain see neither the client nor its key', async () => {
  const { kiln } = createTestKiln({ 'POST /v1/search': () => ({ results: [], served: [] }) });
  const retriever = new KilnRetriever({ kiln });
  const seen: unknown[] = [];
  const handleRetrieverStart = (...given: unknown[]) => void seen.push(...given);
  await retriever.invoke('x', { callbacks: [{ handleRetrieverStart }] });
  expect(seen).not.toHaveLength(0);
  expect(JSON.stringify([seen, retriever])).not.toMatch(/kiln\.test|apiKey|ApiKey/);
});

const handlers = {
  'GET /v1/files': ({ path }: { path: string }) =>
    path.includes('cursor=next')
      ? { files: [fileOf('file_3')], next_cursor: null }
      : { files: [fileOf('file_1'), fileOf('file_2')], next_cursor: 'next' },
  'GET /v1/files/:id/variants/:type': ({ path }: { path: string }) =>
    path.includes('file_2') ? problem(404, 'NOT_FOUND') : { content: '# Text\n', content_url: '' },
  'GET /v1/files/:id/chunks': ({ path }: { path: string }) =>
    path.includes('file_1/')
      ? path.includes('cursor=')
        ? { chunks: [chunkOf(1)], next_cursor: null }
        : { chunks: [chunkOf(0)], next_cursor: '1' }
      : problem(404, 'NOT_FOUND'),
};
const loaded = async (input: Omit<KilnLoaderInput, 'kiln'>) => {
  const { kiln, requests } = createTestKiln(handlers);
  const documents = await new KilnLoader({ kiln, ...input }).load();
  return { ids: documents.map(({ id }) => id), first: documents[0], requests };
};

it('the loader reads the markdown of all pages of the list, without files that have none', async () => {
  const { ids, first, requests } = await loaded({ files: { space: 'a' } });
  expect(ids).toStrictEqual(['file_1', 'file_3']);
  expect(first).toMatchObject({ pageContent: '# Text\n', metadata: { file_id: 'file_1', filename: 'file_1.md' } });
  expect(requests[0]?.path).toBe('/v1/files?space=a');
});

it('the loader reads all chunks of a file, with their places', async () => {
  const { ids, first } = await loaded({ per: 'chunk' });
  expect(ids).toStrictEqual(['file_1:0', 'file_1:1']);
  expect(first).toMatchObject({ pageContent: 'chunk 0', metadata: { file_id: 'file_1', chunk_index: 0, page: null } });
});

it('the loader requests nothing before the loop asks, and no more than it asks for', async () => {
  const { kiln, requests } = createTestKiln(handlers);
  const documents = new KilnLoader({ kiln }).lazyLoad();
  expect(requests).toHaveLength(0);
  for await (const { id } of documents) {
    expect(id).toBe('file_1');
    break;
  }
  expect(requests.map(({ path }) => path)).toStrictEqual(['/v1/files', '/v1/files/file_1/variants/markdown']);
});

it('the loader ends with an error that is none of a missing file', async () => {
  const { kiln } = createTestKiln({
    ...handlers,
    'GET /v1/files/:id/variants/:type': () => problem(503, 'UNAVAILABLE'),
  });
  await expect(new KilnLoader({ kiln }).load()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
