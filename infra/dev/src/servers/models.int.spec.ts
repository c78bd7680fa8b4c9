// Real: the model server's process, its runtime and a tiny model.
import { expect, it } from '@jest/globals';
import { addModel } from '@kiln/models';
import { writeTinyModel } from '@kiln/models/fixtures/tiny-model';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryDirectory } from '../repository.js';
import { startModels } from './models.js';

it('the model server answers on loopback when it has started, and names what is wrong with a model otherwise', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-model-server-'));
  const options = {
    directory,
    entry: join(repositoryDirectory, 'packages/models/dist/main.js'),
    settings: { KILN_MODELS_THREADS: '1' },
  };
  try {
    writeTinyModel(join(directory, 'source'), 'embedding');
    await addModel(join(directory, 'models'), 'tiny', join(directory, 'source'));
    const server = await startModels({ ...options, folders: [join(directory, 'models', 'tiny')] });
    const body = JSON.stringify({ input: 'clay', model: 'tiny' });
    const response = await fetch(`${server.url}/embeddings`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ data: [{ index: 0, embedding: [1, 0, 0] }] });
    await server.stop();
    const missing = startModels({ ...options, folders: [join(directory, 'missing')] });
    await expect(missing).rejects.toThrow(/models exited during start[^]*kiln-model\.json cannot be read/);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
