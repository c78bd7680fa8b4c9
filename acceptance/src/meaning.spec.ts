// Searches by meaning with a model on the machine: installed by the operator's command, run by the launcher. The model is tiny: it knows the
// words "clay", "glaze" and "fire", and that the last two are related.
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

describe('a model on the machine', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-meaning-'));
  const dataDir = join(directory, 'data');
  let system: RunningSystem;
  let client: KilnClient;
  const files = new Map<string, string>();
  const search = async (body: object) => bodyOf(await client.post<Found>('/v1/search', body), 200);
  const namesOf = ({ results }: Found) => results.map(({ filename }) => filename);

  beforeAll(async () => {
    for (const kind of ['embedding', 'reranking'] as const) {
      writeTinyModel(join(directory, kind), kind);
      await kiln(dataDir, 'models', 'add', `tiny-${kind}`, join(directory, kind));
    }
    system = await startSystem({ dataDir });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
    const texts = {
      'clay.md': '# About\n\nclay clay',
      'glaze.md': '# About\n\nglaze glaze',
      'more.md': '# About\n\nclay glaze',
    };
    for (const [name, text] of Object.entries(texts)) {
      const { id, job_id: jobId } = bodyOf(await client.upload(name, text, {}), 201);
      expect((await client.waitForJob(jobId)).status).toBe('completed');
      files.set(name, id);
    }
  });
  afterAll(async () => {
    await system.stop();
    rmSync(directory, { recursive: true });
  });

  it('finds what means the query and shares no word with it', async () => {
    const found = await search({ query: 'fire' });
    expect(found).toMatchObject({ mode: 'hybrid', served: ['text', 'vector'], not_served: [] });
    expect(namesOf(found)).toStrictEqual(['glaze.md', 'more.md', 'clay.md']);
    expect(await search({ query: 'fire', mode: 'text' })).toMatchObject({ results: [], served: ['text'] });
  });

  it('reranks on request', async () => {
    const found = await search({ query: 'clay', mode: 'text', rerank: true });
    expect(found).toMatchObject({ served: ['text', 'rerank'], not_served: [] });
    expect(namesOf(found)).toStrictEqual(['more.md', 'clay.md']);
  });

  it('results are chunks with their place, which the markdown has, and the file lists them', async () => {
    const { results } = await search({ query: 'glaze', group: 'chunk', limit: 1 });
    const [result] = results;
    if (!result) throw new Error('nothing was found');
    const { file_id: id, text, start, end, headings } = result;
    expect([id, headings]).toStrictEqual([files.get('glaze.md'), ['About']]);
    expect((await client.markdown(id)).slice(start, end)).toBe(text);
    const { chunks, next_cursor } = bodyOf(await client.get<Chunks>(`/v1/files/${id}/chunks`), 200);
    expect([chunks, next_cursor]).toMatchObject([[{ index: 0, text, start, end }], null]);
    bodyOf(await client.get(`/v1/files/file_01h455vb4pex5vsknk084sn02q/chunks`), 404);
  });
});
