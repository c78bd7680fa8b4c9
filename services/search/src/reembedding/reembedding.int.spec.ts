// Real: Postgres. FAKES: the files service with the variants of files, and the provider of embeddings.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  encodeId,
  formatTimestamp,
  notFound,
  searchRequestSchema,
  unavailable,
  uuidOf,
  type SearchableIndex,
} from '@kiln/contracts';
import { chunkLines } from '@kiln/chunks/chunk-lines';
import { createLogger } from '@kiln/platform';
import { randomUUID } from 'node:crypto';
import { facetsOf } from '../postings/domain/facet.js';
import { indexedChunks } from '../rebuild/indexed-chunks.domain.js';
import type { IndexSource } from '../rebuild/indexed-files.adapter.js';
import { RebuildFiles } from '../rebuild/rebuild-files.usecase.js';
import { encodeVector } from '../test/known-vectors.js';
import { contextOf, startSearch, type SearchHarness } from '../test/search-harness.js';
import { ChunkStore } from '../text-index/chunk.store.js';
import { ServedVectorsStore } from '../vectors/served-vectors.store.js';
import { StagedVectorsStore } from '../vectors/staged-vectors.store.js';
import { StageVectors } from './stage-vectors.usecase.js';
import { SwitchVectors } from './switch-vectors.usecase.js';

const logger = createLogger({ service: 'search', role: 'all', level: 'silent' }, { write: () => {} });
const SIZE = 100;
const CHUNKING = { strategy: 'fixed' as const, chunk_size: SIZE, chunk_overlap: 0 };
const INPUTS_MAX = 2;
const BUILDS = ['first', 'second'] as const;

describe('embedding the files of an index with another model', () => {
  let kiln: SearchHarness;
  let tenantId: string;
  const sources = new Map<string, IndexSource>();
  /** Runs when a file has been read. */
  let onRead = () => Promise.resolve();
  /** The texts that were embedded, and how many more calls the provider answers. */
  let embedded: string[];
  let callsLeft: number;
  let stageVectors: StageVectors;
  let switchVectors: SwitchVectors;
  let rebuild: RebuildFiles;
  beforeAll(async () => {
    kiln = await startSearch();
    const files = {
      find: async (id: string) => {
        const source = sources.get(id);
        if (!source) throw notFound('No file that is indexed has this id.');
        await onRead();
        return source;
      },
      embeddingModelOf: () => Promise.resolve('large'),
      languageOf: () => Promise.resolve('english' as const),
      isCurrent: (file: IndexSource['file']) => Promise.resolve(sources.get(file.file_id)?.file === file),
    };
    const embedder = {
      dimensionsOf: () => Promise.resolve(3),
      embed: (texts: readonly string[]) => {
        if (callsLeft-- <= 0) return Promise.reject(unavailable('The provider of embeddings'));
        embedded.push(...texts);
        return Promise.resolve(texts.map((text) => newVector(text)));
      },
    };
    const staged = new StagedVectorsStore(kiln.database);
    const limits = { KILN_EMBEDDING_BATCH_INPUTS: INPUTS_MAX, KILN_EMBEDDING_BATCH_CHARACTERS: 10_000 };
    stageVectors = new StageVectors(limits, files, embedder, staged, logger);
    switchVectors = new SwitchVectors(staged);
    rebuild = new RebuildFiles(
      files,
      kiln.indexFiles,
      new ServedVectorsStore(kiln.database),
      new ChunkStore(kiln.database),
      logger,
    );
  });
  beforeEach(() => {
    tenantId = randomUUID();
    [embedded, callsLeft] = [[], 1_000];
  });
  afterAll(() => kiln.close());

  /** By the new model, texts with an even number are near, by the old one those with an odd number. */
  const numberIn = (text: string) => Number(/\d+/.exec(text)?.[0] ?? 0);
  const newVector = (text: string) => (numberIn(text) % 2 === 0 ? [1, 0, 0] : [0, 1, 0]);
  const oldVector = (text: string) => (numberIn(text) % 2 === 0 ? [0, 1] : [1, 0]);

  interface Given {
    id?: string;
    jobNumber?: number;
    model?: string | null;
  }

  /** A file as its run has indexed it. */
  async function add(
    markdown: string,
    { id = encodeId('file', randomUUID()), jobNumber = 1, model = 'small' }: Given = {},
  ) {
    const source = { title: null, language: null, chunking: CHUNKING, pages: [] };
    const index: SearchableIndex = { chunks: 0, model, indexed_at: formatTimestamp(new Date()), source };
    const chunks = [...indexedChunks(index, markdown)];
    index.chunks = chunks.length;
    const vectors = chunks.map(({ text }) => oldVector(text));
    const embeddings = model === null ? null : { model, dimensions: 2, vectors: () => vectors.map(encodeVector) };
    const lines = [];
    for await (const line of chunkLines(chunks, embeddings)) lines.push(line);
    const jobId = randomUUID();
    const file = { fileId: uuidOf('file', id), jobId, jobNumber, space: 'main', filename: 'x.md' };
    const all = { ...file, chunks: [], lines, ...(model !== null && { model, vectors }) };
    await kiln.indexTogether(tenantId, [all]);
    const record = { job_id: encodeId('job', jobId), job_number: jobNumber, fence: 1, space: 'main', filename: 'x.md' };
    sources.set(id, {
      file: { file_id: id, ...record, content_type: null, metadata: {} },
      index,
      markdown,
      embeddings,
    });
    return id;
  }
  const stage = async (...ids: string[]) => {
    const { model, files } = await stageVectors.execute({ file_ids: ids, model: null }, contextOf(tenantId));
    expect([model, files.map(({ file_id: id }) => id)]).toStrictEqual(['large', ids]);
    return files.map(({ outcome }) => outcome);
  };
  const switchTo = async (...ids: string[]) => {
    const { files } = await switchVectors.execute({ file_ids: ids, model: 'large' }, contextOf(tenantId));
    return files.map(({ outcome }) => outcome);
  };
  /** What a search by vector finds first, and the models that it asks. */
  async function nearest() {
    kiln.vectors.set('question', []);
    kiln.vectors.asked.length = 0;
    const embed = (_text: string, model: string) => {
      kiln.vectors.asked.push(model);
      return Promise.resolve(Float32Array.from(model === 'large' ? [1, 0, 0] : [1, 0]));
    };
    const embedder = { embed, isAvailable: () => Promise.resolve(true) };
    const { results } = await kiln
      .searchBy(kiln.vectorIndex, embedder)
      .execute(searchRequestSchema.parse({ query: 'question', mode: 'vector' }), contextOf(tenantId));
    return {
      first: results[0]?.chunk_text.trim() ?? null,
      found: results.length,
      models: [...kiln.vectors.asked].sort(),
    };
  }
  const long = (count: number) =>
    Array.from({ length: count }, (_, at) => `Part ${at * 2} ${'of a long text '.repeat(6)}`.slice(0, SIZE - 1)).join(
      '\n',
    );

  it('changes no search until the new vectors are switched to, and then no search asks the former model', async () => {
    const ids = [await add('Text 1'), await add('Text 2')];
    const before = await nearest();
    expect(before).toStrictEqual({ first: 'Text 1', found: 2, models: ['small'] });
    expect(await stage(...ids)).toStrictEqual(['staged', 'staged']);
    expect(await nearest()).toStrictEqual(before);
    expect(await switchTo(...ids)).toStrictEqual(['switched', 'switched']);
    expect(await nearest()).toStrictEqual({ first: 'Text 2', found: 2, models: ['large'] });
  });

  it('gives vectors to files that had none', async () => {
    const ids = [await add('Text 1', { model: null }), await add('Text 2', { model: null })];
    expect((await nearest()).found).toBe(0);
    expect([await stage(...ids), await switchTo(...ids)]).toStrictEqual([
      ['staged', 'staged'],
      ['switched', 'switched'],
    ]);
    expect(await nearest()).toStrictEqual({ first: 'Text 2', found: 2, models: ['large'] });
  });

  it('asks for each text once, in calls that are repeated or interrupted', async () => {
    const [short, ...rest] = [await add('Text 1'), await add(long(9))];
    callsLeft = 3;
    await expect(stage(short, ...rest)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    callsLeft = 1_000;
    expect(await stage(short, ...rest)).toStrictEqual(['staged', 'staged']);
    expect(await stage(short, ...rest)).toStrictEqual(['staged', 'staged']);
    expect(embedded).toHaveLength(10);
    expect(new Set(embedded).size).toBe(10);
    expect(await switchTo(short, ...rest)).toStrictEqual(['switched', 'switched']);
    expect([await switchTo(short), await stage(short)]).toStrictEqual([['unchanged'], ['current']]);
    expect((await nearest()).models).toStrictEqual(['large']);
  });

  it('is the same when several calls embed a file at once', async () => {
    const id = await add(long(9));
    const outcomes = await Promise.all(BUILDS.map(() => stage(id)));
    expect(outcomes.flat()).toContain('staged');
    expect(await stage(id)).toStrictEqual(['staged']);
    const switched = await Promise.all(BUILDS.map(() => switchTo(id)));
    expect(switched.flat().sort()).toStrictEqual(['switched', 'unchanged']);
    expect(await nearest()).toMatchObject({ found: 1, models: ['large'] });
  });

  it('never uses vectors of a former version of a file', async () => {
    const id = await add('Text 1');
    await stage(id);
    await add('Text 3, processed again', { id, jobNumber: 2 });
    expect(await switchTo(id)).toStrictEqual(['unchanged']);
    expect(await nearest()).toStrictEqual({ first: 'Text 3, processed again', found: 1, models: ['small'] });
    expect([await stage(id), await switchTo(id)]).toStrictEqual([['staged'], ['switched']]);
  });

  it('leaves a file as it is whose chunks are others than those of its index, and says what to do', async () => {
    const [other, bare, whole] = [await add(long(3)), await add('Text 1'), await add('Text 2')];
    const source = sources.get(other) as IndexSource;
    sources.set(other, { ...source, markdown: long(3).replace('Part 2', 'Part 22') });
    sources.set(bare, { ...(sources.get(bare) as IndexSource), markdown: null });
    const ids = [other, bare, whole, encodeId('file', randomUUID())];
    const { files } = await stageVectors.execute({ file_ids: ids, model: null }, contextOf(tenantId));
    expect(files.map(({ outcome }) => outcome)).toStrictEqual(['failed', 'failed', 'staged', 'gone']);
    expect(files[0]?.problem).toContain(`kiln search rebuild --file ${other}`);
    expect(files[1]?.problem).toMatch(/no variant markdown.*Process the file again/);
    expect(await switchTo(...ids)).toStrictEqual(['unchanged', 'unchanged', 'switched', 'unchanged']);
  });

  it('finds a file in its new space when it is moved while it is read', async () => {
    const id = await add(long(2));
    onRead = async () => {
      onRead = () => Promise.resolve();
      const source = sources.get(id) as IndexSource;
      sources.set(id, { ...source, file: { ...source.file, space: 'other' } });
      await rebuild.execute({ file_ids: [id] }, contextOf(tenantId));
    };
    expect(await stage(id)).toStrictEqual(['staged']);
    expect(await switchTo(id)).toStrictEqual(['switched']);
    const [row] = await kiln.database.query<{ facets: string[] }>(
      { name: '', text: 'select facets from vector_files where tenant_id = $1' },
      [tenantId],
    );
    expect(row?.facets).toStrictEqual(facetsOf({ space: 'other', contentType: null, metadata: {} }));
  });

  it('forgets the vectors of a file that is deleted', async () => {
    const id = await add('Text 1');
    await stage(id);
    await kiln.remove(tenantId, uuidOf('file', id));
    const [row] = await kiln.database.query<{ parts: number }>(
      { name: '', text: 'select count(*)::int as parts from staged_vector_parts where tenant_id = $1' },
      [tenantId],
    );
    expect([row?.parts, await switchTo(id), await stage(id)]).toStrictEqual([0, ['unchanged'], ['gone']]);
  });

  it('is kept when the index is made again', async () => {
    const id = await add(long(3));
    await stage(id);
    await switchTo(id);
    const before = await nearest();
    const { files } = await rebuild.execute({ file_ids: [id] }, contextOf(tenantId));
    expect(files).toStrictEqual([{ file_id: id, outcome: 'rebuilt', problem: null }]);
    expect(await nearest()).toStrictEqual(before);
  });

  it('does nothing in test mode, which calls no provider', async () => {
    const id = await add('Text 1');
    const context = { ...contextOf(tenantId), mode: 'test' as const };
    const { files } = await stageVectors.execute({ file_ids: [id], model: 'any' }, context);
    expect([files[0]?.outcome, embedded]).toStrictEqual(['current', []]);
  });
});
