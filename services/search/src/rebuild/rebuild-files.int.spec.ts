// Real: Postgres. Faked: the files and jobs services.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  encodeId,
  formatTimestamp,
  notFound,
  searchRequestSchema,
  unavailable,
  uuidOf,
  type SearchLanguage,
  type SearchResult,
} from '@kiln/contracts';
import { chunk } from '@kiln/chunks/chunk';
import { createLogger, statement } from '@kiln/platform';
import { randomUUID } from 'node:crypto';
import { ChunkStore } from '../text-index/chunk.store.js';
import { ServedVectorsStore } from '../vectors/served-vectors.store.js';
import { contextOf, startSearch, type SearchHarness } from '../test/search-harness.js';
import { encodeVector } from '../test/known-vectors.js';
import type { IndexSource } from './indexed-files.adapter.js';
import { RebuildFiles } from './rebuild-files.usecase.js';

const TABLES = `files, chunks, tail_parts, posting_blocks, removed_ranges, removed_windows, tenant_indexes, tenant_languages, vector_files,
  vector_parts, vector_sets, vector_generations`;
const CHUNKING = { strategy: 'fixed' as const, chunk_size: 100, chunk_overlap: 0 };
const logger = createLogger({ service: 'search', role: 'all', level: 'silent' }, { write: () => {} });

describe('a rebuild of the index', () => {
  let kiln: SearchHarness;
  let tenantId: string;
  let rebuild: RebuildFiles;
  /** What the files and jobs services have. */
  const sources = new Map<string, IndexSource | Error>();
  let language: SearchLanguage;
  /** What the files service is asked after a write: whether the file is still as it was read. */
  let isCurrent: (file: IndexSource['file']) => Promise<boolean>;
  /** Runs when the rebuild knows of which model the vectors are, and has not read them. */
  let afterServed: () => Promise<void>;
  beforeAll(async () => {
    kiln = await startSearch();
    const find = (fileId: string) => {
      const source = sources.get(fileId) ?? notFound('No file that is indexed has this id.');
      return source instanceof Error ? Promise.reject(source) : Promise.resolve(source);
    };
    const files = {
      find,
      languageOf: () => Promise.resolve(language),
      isCurrent: (file: IndexSource['file']) => isCurrent(file),
    };
    const stored = new ServedVectorsStore(kiln.database);
    const served: Pick<ServedVectorsStore, 'find'> = {
      find: async (...ofFile) => {
        const found = await stored.find(...ofFile);
        await afterServed();
        return found;
      },
    };
    rebuild = new RebuildFiles(files, kiln.indexFiles, served, new ChunkStore(kiln.database), logger);
  });
  beforeEach(() => {
    tenantId = randomUUID();
    language = 'english';
    isCurrent = () => Promise.resolve(true);
    afterServed = () => Promise.resolve();
    sources.clear();
  });
  afterAll(() => kiln.close());

  /** A file that its run has indexed, with the variants from which it can be rebuilt. */
  async function add(
    markdown: string,
    { jobNumber = 1, title = null as string | null, vector = null as number[] | null } = {},
  ): Promise<string> {
    const fileId = randomUUID();
    const jobId = randomUUID();
    const options = { strategy: 'fixed' as const, chunkSize: 100, chunkOverlap: 0 };
    const chunks = [...chunk(markdown, options)].map(({ text }) => text);
    const vectors = chunks.map((_, at) => vector?.map((value) => value + at) ?? []);
    await kiln.index({
      tenantId,
      fileId,
      jobId,
      jobNumber,
      title,
      filename: 'x.md',
      space: 'main',
      chunks,
      ...(vector && { vectors }),
    });
    const id = encodeId('file', fileId);
    const file = {
      file_id: id,
      job_id: encodeId('job', jobId),
      job_number: jobNumber,
      fence: 1,
      space: 'main',
      filename: 'x.md',
      content_type: null,
      metadata: {},
    };
    const source = { title, language: 'de', chunking: CHUNKING, pages: [] };
    const index = { chunks: chunks.length, model: vector && 'small', indexed_at: formatTimestamp(new Date()), source };
    const embeddings = vector && {
      model: 'small',
      dimensions: vector.length,
      vectors: () => vectors.map(encodeVector),
    };
    sources.set(id, { file, index, markdown, embeddings });
    return id;
  }
  const run = async (...ids: string[]) => {
    const { files } = await rebuild.execute({ file_ids: ids }, contextOf(tenantId));
    expect(files.map(({ file_id: id }) => id)).toStrictEqual(ids);
    return files.map(({ outcome }) => outcome);
  };
  const search = (query: string) => kiln.search(tenantId, query, { space: 'main' });

  it('finds the same as before after the tables of the index were lost', async () => {
    const words = (seed: number) => Array.from({ length: 60 }, (_, n) => `word${(n * seed) % 41}`).join(' ');
    const ids = [];
    for (let n = 1; n <= 12; n++) ids.push(await add(words(n), { title: `Title ${n}` }));
    await kiln.merge(tenantId);
    const before = await search('word3 word7 title');
    expect(before.total).toBe(12);
    await kiln.database.query({ name: '', text: `truncate ${TABLES} cascade` });
    expect((await search('word3 word7 title')).total).toBe(0);
    expect(await run(...ids)).toStrictEqual(ids.map(() => 'rebuilt'));
    // The harness gives each chunk the offset 0.
    const byId = (results: readonly SearchResult[]) =>
      results
        .map(({ start: _start, end: _end, ...result }) => result)
        .toSorted((left, right) => (left.file_id < right.file_id ? -1 : 1));
    const after = await search('word3 word7 title');
    expect({ ...after, results: byId(after.results) }).toStrictEqual({ ...before, results: byId(before.results) });
  });

  it('finds the same by vectors, too', async () => {
    const [near, far] = [await add('near text', { vector: [1, 0.1] }), await add('far text', { vector: [0.1, 1] })];
    const plain = await add('text without vectors');
    kiln.vectors.set('something else', [1, 0]);
    // Each search runs like a search of a newly started process.
    const byVector = async () => {
      const index = kiln.openVectors();
      const input = searchRequestSchema.parse({ query: 'something else', mode: 'vector' });
      const { results } = await kiln.searchBy(index).execute(input, contextOf(tenantId));
      await index.close();
      return results.map(({ file_id: id, score }) => [id, score]);
    };
    const before = await byVector();
    expect(before.map(([id]) => id)).toStrictEqual([near, far]);
    await kiln.database.query({ name: '', text: `truncate ${TABLES} cascade` });
    expect(await run(near, far, plain)).toStrictEqual(['rebuilt', 'rebuilt', 'rebuilt']);
    expect(await byVector()).toStrictEqual(before);
    // The vectors that searches use are kept, whatever the file has.
    sources.set(near, { ...(sources.get(near) as IndexSource), embeddings: null });
    expect(await run(near)).toStrictEqual(['rebuilt']);
    expect(await byVector()).toStrictEqual(before);
    // Without any, a rebuild would lose what a search by vector finds.
    await kiln.database.query({ name: '', text: `truncate ${TABLES} cascade` });
    expect(await run(near)).toStrictEqual(['failed']);
  });

  it('shows exactly one version of each file at any time, in the former language or in the new one', async () => {
    const ids = [];
    for (let n = 0; n < 30; n++) ids.push(await add(`die alten Häuser ${n}`));
    await kiln.merge(tenantId);
    language = 'auto';
    const rebuilding = new AbortController();
    const totals = new Set<number>();
    const searching = (async () => {
      for (let n = 0; !rebuilding.signal.aborted || n < 3; n++) {
        const { total, results } = await kiln.search(tenantId, 'Häuser', { limit: 200 });
        totals.add(total).add(new Set(results.map(({ file_id: id }) => id)).size);
      }
    })();
    expect(await run(...ids)).toStrictEqual(ids.map(() => 'rebuilt'));
    await kiln.merge(tenantId);
    rebuilding.abort();
    await searching;
    expect(totals).toStrictEqual(new Set([30]));
    expect((await search('Haus')).total).toBe(30);
  });

  it('can be repeated, and runs twice at once', async () => {
    const id = await add('viele Häuser');
    language = 'german';
    expect(await Promise.all([run(id), run(id), run(id)])).toStrictEqual([['rebuilt'], ['rebuilt'], ['rebuilt']]);
    expect([(await search('Haus')).total, (await search('viele')).total]).toStrictEqual([1, 1]);
  });

  it('of a file that is edited meanwhile ends with its current name, space and metadata', async () => {
    const id = await add('some text');
    const source = sources.get(id) as IndexSource;
    const edited = { ...source.file, filename: 'Renamed.md', space: 'other', metadata: { team: 'new' } };
    isCurrent = (file) => {
      sources.set(id, { ...source, file: edited });
      return Promise.resolve(file.filename === edited.filename);
    };
    expect(await run(id)).toStrictEqual(['rebuilt']);
    const found = async (query: string, filters: object) =>
      (await kiln.search(tenantId, query, filters)).results.map(({ file_id: fileId }) => fileId);
    expect(await found('renamed', { space: 'other', metadata: { team: 'new' } })).toStrictEqual([id]);
    expect(await found('text', { space: 'main' })).toStrictEqual([]);
  });

  it('of a file without the variant markdown takes the chunks from its index, and keeps their places and vectors', async () => {
    const id = await add('viele Häuser '.repeat(20), { title: 'Title', vector: [1, 0.1] });
    const source = sources.get(id) as IndexSource;
    const chunks = () => kiln.database.query(readChunks, [tenantId]);
    const before = await chunks();
    expect(before.length).toBeGreaterThan(1);
    const vectors = await kiln.database.query(readVectors, [tenantId]);
    sources.set(id, { ...source, file: { ...source.file, space: 'other' }, markdown: null, embeddings: null });
    language = 'german';
    expect(await run(id)).toStrictEqual(['rebuilt']);
    expect(await chunks()).toStrictEqual(before);
    expect(await kiln.database.query(readVectors, [tenantId])).toStrictEqual(vectors);
    expect((await kiln.search(tenantId, 'Haus', { space: 'other' })).total).toBe(1);
    expect((await search('Haus')).total).toBe(0);
  });

  it('fails as unavailable when another model replaces the vectors meanwhile, and keeps those of the new model', async () => {
    const id = await add('some text', { vector: [1, 0.1] });
    const models = async () =>
      kiln.database.query({ name: '', text: 'select model from vector_files where tenant_id = $1' }, [tenantId]);
    // A switch also replaces the vectors, by vectors of the same length here.
    const text = `update vector_files set model = 'other' where tenant_id = $1`;
    afterServed = async () => void (await kiln.database.query({ name: '', text }, [tenantId]));
    await expect(run(id)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await models()).toStrictEqual([{ model: 'other' }]);
    expect(await run(id)).toStrictEqual(['rebuilt']);
    expect(await models()).toStrictEqual([{ model: 'other' }]);
  });

  it('never replaces what a newer run has indexed, and never brings back a deleted file', async () => {
    const [replaced, deleted] = [await add('former text'), await add('deleted text')];
    await kiln.index({ tenantId, fileId: uuidOf('file', replaced), jobNumber: 2, space: 'main', chunks: ['new text'] });
    await kiln.remove(tenantId, uuidOf('file', deleted));
    expect(await run(replaced, deleted)).toStrictEqual(['superseded', 'superseded']);
    expect((await search('text')).results.map(({ chunk_text: text }) => text)).toStrictEqual(['new text']);
  });

  it('leaves a file that cannot be rebuilt as it is, names the reason, and rebuilds the others', async () => {
    const [noMarkdown, broken, whole] = [await add('first text'), await add('second text'), await add('third text')];
    const source = sources.get(noMarkdown) as IndexSource;
    // Its index has another version, or was lost in part.
    sources.set(noMarkdown, { ...source, index: { ...source.index, chunks: 2 }, markdown: null });
    sources.set(broken, new Error('a secret detail'));
    const { files } = await rebuild.execute(
      { file_ids: [noMarkdown, broken, whole, encodeId('file', randomUUID())] },
      contextOf(tenantId),
    );
    expect(files.map(({ outcome }) => outcome)).toStrictEqual(['failed', 'failed', 'rebuilt', 'gone']);
    expect(files[0]?.problem).toMatch(/no variant markdown.*Process the file again/);
    expect(files[1]?.problem).toMatch(/Process the file again/);
    expect(files[1]?.problem).not.toMatch(/secret/);
    expect((await search('text')).total).toBe(3);
  });

  it('fails as a whole while a service that it needs cannot answer, and changes nothing then', async () => {
    const id = await add('some text');
    sources.set(id, unavailable('The files service'));
    await expect(run(id)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const [row] = await kiln.database.query<{ count: number }>(countFiles, [tenantId]);
    expect([row?.count, (await search('text')).total]).toStrictEqual([1, 1]);
  });
});

const readChunks = statement(
  'test.read_chunks',
  'select index, body, start_offset, end_offset, page, heading_path, lines from chunks where tenant_id = $1 order by index',
);
const readVectors = statement(
  'test.read_vectors',
  'select first_index, vectors from vector_parts where tenant_id = $1 order by first_index',
);
const countFiles = statement('test.count_files', 'select count(*)::int as count from files where tenant_id = $1');
