/** @slow */
// Another embedding model by the operator's command line, with tiny models on the machine: the first model of an installation, and then a change
// of the model.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeTinyModel } from '@kiln/dev';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bodyOf, KilnClient } from './support/kiln-client.js';
import { kiln } from './support/operator.config.js';

interface Found {
  results: { filename: string }[];
  served: string[];
}

describe('kiln search reembed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-reembed-'));
  const dataDir = join(directory, 'data');
  let system: RunningSystem;
  let client: KilnClient;
  async function start(models: string): Promise<void> {
    system = await startSystem({ dataDir, environment: { KILN_LOCAL_MODELS: models } });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  }
  beforeAll(async () => {
    writeTinyModel(join(directory, 'model'), 'embedding');
    for (const name of ['first', 'second']) await kiln(dataDir, 'models', 'add', name, join(directory, 'model'));
    await start('none');
    for (const [name, text] of Object.entries({ 'clay.md': 'clay clay', 'glaze.md': 'glaze glaze' })) {
      const { job_id: jobId } = bodyOf(await client.upload(name, text, {}), 201);
      expect((await client.waitForJob(jobId)).status).toBe('completed');
    }
  });
  afterAll(async () => {
    await system.stop();
    rmSync(directory, { recursive: true });
  });

  const reembed = (...words: string[]) => kiln(dataDir, 'search', 'reembed', '--all', ...words);
  /** No file has the word. */
  const found = async () => {
    const { results, served } = bodyOf(await client.post<Found>('/v1/search', { query: 'fire' }), 200);
    return { names: results.map(({ filename }) => filename), served };
  };
  const byMeaning = { names: ['glaze.md', 'clay.md'], served: ['text', 'vector'] };
  const jobs = async () => (await client.get<{ jobs: unknown[] }>('/v1/jobs')).body.jobs.length;

  it('lets searches find files by meaning that were processed before there was a model, and processes none', async () => {
    expect(await found()).toStrictEqual({ names: [], served: ['text'] });
    await system.stop();
    await start('second,first');
    expect((await found()).names).toStrictEqual([]);
    const output = await reembed('--model', 'first');
    expect(output).toMatch(
      /: 2 of 2 files embedded with first\n.*: 2 of 2 files have their new vectors\n(.*\n)*done\n$/,
    );
    expect(await found()).toStrictEqual(byMeaning);
    expect(await jobs()).toBe(2);
  });

  it('changes to the model of the settings, and the former one is not needed any more', async () => {
    expect(await reembed()).toMatch(/: 2 of 2 files embedded with second\n/);
    await system.stop();
    await start('second');
    expect(await found()).toStrictEqual(byMeaning);
  });

  it('explains what is wrong, and changes nothing then', async () => {
    await expect(reembed('--model', 'third')).rejects.toThrow(/"third" is not offered here\. Use second/);
    await expect(kiln(dataDir, 'search', 'reembed')).rejects.toThrow(/--tenant must be given, or --org, or --all/);
    expect(await found()).toStrictEqual(byMeaning);
  });
});
