/** @slow */
// Models on the machine. The suite launches its own system with tiny models, which the operator adds. The embedding models know the words
// "clay", "glaze" and "fire", and that the last two are related.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeTinyModel } from '@kiln/dev';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bodyOf, KilnClient } from './support/kiln-client.js';
import { kiln } from './support/operator.config.js';

interface Found {
  results: { file_id: string; filename: string; text: string; start: number; end: number; headings: string[] }[];
  mode: string;
  served: string[];
  not_served: { part: string; reason: string; message: string }[];
}

interface Chunks {
  chunks: { index: number; text: string; start: number; end: number }[];
  next_cursor: string | null;
}

describe('models on the machine', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-meaning-'));
  const dataDir = join(directory, 'data');
  const files = new Map<string, string>();
  let system: RunningSystem;
  let client: KilnClient;
  async function start(models: string): Promise<void> {
    system = await startSystem({ dataDir, environment: { KILN_LOCAL_MODELS: models } });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  }
  async function store(name: string, words: string): Promise<void> {
    const { id, job_id: jobId } = bodyOf(await client.upload(name, `# About\n\n${words}`, {}), 201);
    expect((await client.waitForJob(jobId)).status).toBe('completed');
    files.set(name, id);
  }
  beforeAll(async () => {
    for (const kind of ['embedding', 'reranking'] as const) writeTinyModel(join(directory, kind), kind);
    for (const name of ['first', 'second']) await kiln(dataDir, 'models', 'add', name, join(directory, 'embedding'));
    await kiln(dataDir, 'models', 'add', 'reranker', join(directory, 'reranking'));
    await start('none');
    await store('clay.md', 'clay clay');
    await store('glaze.md', 'glaze glaze');
  });
  afterAll(async () => {
    await system.stop();
    rmSync(directory, { recursive: true });
  });

  const search = async (body: object) => bodyOf(await client.post<Found>('/v1/search', body), 200);
  const namesOf = ({ results }: Found) => results.map(({ filename }) => filename);
  /** No file has the word. */
  const found = async () => {
    const answer = await search({ query: 'fire' });
    return { names: namesOf(answer), served: answer.served };
  };
  const byMeaning = (...names: string[]) => ({ names, served: ['text', 'vector'] });
  const reembed = (...words: string[]) => kiln(dataDir, 'search', 'reembed', '--all', ...words);
  const jobs = async () => (await client.get<{ jobs: unknown[] }>('/v1/jobs')).body.jobs.length;

  it('find, after kiln search reembed, files that were processed before there was a model, without processing them', async () => {
    expect(await found()).toStrictEqual({ names: [], served: ['text'] });
    await system.stop();
    await start('second,first,reranker');
    expect((await found()).names).toStrictEqual([]);
    const output = await reembed('--model', 'first');
    expect(output).toMatch(
      /: 2 of 2 files embedded with first\n.*: 2 of 2 files have their new vectors\n(.*\n)*done\n$/,
    );
    expect(await found()).toStrictEqual(byMeaning('glaze.md', 'clay.md'));
    expect(await jobs()).toBe(2);
  });

  it('find what means the query and shares no word with it', async () => {
    expect(await reembed()).toMatch(/: 2 of 2 files embedded with second\n/);
    await store('more.md', 'clay glaze');
    expect(await search({ query: 'fire' })).toMatchObject({ mode: 'hybrid', not_served: [] });
    expect(await found()).toStrictEqual(byMeaning('glaze.md', 'more.md', 'clay.md'));
    expect(await search({ query: 'fire', mode: 'text' })).toMatchObject({ results: [], served: ['text'] });
  });

  it('rerank on request', async () => {
    const answer = await search({ query: 'clay', mode: 'text', rerank: true });
    expect(answer).toMatchObject({ served: ['text', 'rerank'], not_served: [] });
    expect(namesOf(answer)).toStrictEqual(['more.md', 'clay.md']);
  });

  it('find chunks with their place, which the markdown has, and the file lists them', async () => {
    const { results } = await search({ query: 'glaze', group: 'chunk', limit: 1 });
    const [result] = results;
    if (!result) throw new Error('nothing was found');
    const { file_id: id, text, start: from, end, headings } = result;
    expect([id, headings]).toStrictEqual([files.get('glaze.md'), ['About']]);
    expect((await client.markdown(id)).slice(from, end)).toBe(text);
    const { chunks, next_cursor } = bodyOf(await client.get<Chunks>(`/v1/files/${id}/chunks`), 200);
    expect([chunks, next_cursor]).toMatchObject([[{ index: 0, text, start: from, end }], null]);
    bodyOf(await client.get(`/v1/files/file_01h455vb4pex5vsknk084sn02q/chunks`), 404);
  });

  it('are not needed any more after all files were embedded with another model', async () => {
    await system.stop();
    await start('second,reranker');
    expect(await found()).toStrictEqual(byMeaning('glaze.md', 'more.md', 'clay.md'));
  });

  it('that are not offered are named by kiln search reembed, which then changes nothing', async () => {
    await expect(reembed('--model', 'third')).rejects.toThrow(/"third" is not offered here\. Use second/);
    await expect(kiln(dataDir, 'search', 'reembed')).rejects.toThrow(/--tenant must be given, or --org, or --all/);
    expect((await found()).names).toHaveLength(3);
  });
});
