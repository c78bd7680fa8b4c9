import { afterAll, describe, expect, it } from '@jest/globals';
import { addModel } from '@kiln/models';
import { writeTinyModel } from '@kiln/models/fixtures/tiny-model';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLauncherConfig } from './config.js';
import { hasEmbeddings, localModels } from './local-models.js';

describe('the models that the launcher starts', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-local-models-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  async function install(name: string, kinds: Record<string, 'embedding' | 'reranking'>): Promise<string> {
    const dataDirectory = join(directory, name);
    for (const [model, kind] of Object.entries(kinds)) {
      writeTinyModel(join(directory, kind), kind);
      await addModel(join(dataDirectory, 'models'), model, join(directory, kind));
    }
    return dataDirectory;
  }
  const modelsOf = (dataDirectory: string, environment: Record<string, string> = {}) => {
    const config = readLauncherConfig({ KILN_DATA_DIR: dataDirectory, ...environment });
    const models = localModels(config);
    return { variables: models?.variablesFor('http://models/v1') ?? {}, embeds: hasEmbeddings(models, config), models };
  };

  it('are the installed ones, whose address and name the services get', async () => {
    const { variables, embeds, models } = modelsOf(await install('both', { small: 'embedding', cross: 'reranking' }));
    expect(variables).toMatchObject({
      KILN_EMBEDDING_URL: 'http://models/v1',
      KILN_EMBEDDING_MODEL: 'small',
      KILN_RERANK_URL: 'http://models/v1',
      KILN_RERANK_MODEL: 'cross',
    });
    expect([embeds, models?.folders.length]).toStrictEqual([true, 2]);
  });

  it('are none without an installed one, and when the operator says so', async () => {
    expect(modelsOf(join(directory, 'nothing'))).toMatchObject({ models: null, embeds: false });
    const installed = await install('unwanted', { small: 'embedding' });
    expect(modelsOf(installed, { KILN_LOCAL_MODELS: 'none' })).toMatchObject({ models: null, embeds: false });
  });

  it('leave out those for which the operator has named other servers', async () => {
    const installed = await install('other-server', { small: 'embedding', cross: 'reranking' });
    const { variables, embeds } = modelsOf(installed, { KILN_EMBEDDING_URL: 'https://models.example/v1' });
    expect(Object.keys(variables)).toStrictEqual(['KILN_RERANK_URL', 'KILN_RERANK_MODEL', 'KILN_RERANK_DEADLINE_MS']);
    expect(embeds).toBe(true);
  });

  it('are those that the operator names, where several of a kind are installed', async () => {
    const installed = await install('two', { one: 'embedding', two: 'embedding' });
    const failure = (message: RegExp): unknown =>
      expect.objectContaining({ code: 'config_invalid', message: expect.stringMatching(message) });
    expect(() => modelsOf(installed)).toThrow(
      failure(/Several embedding models are installed: one, two\. Name one in/),
    );
    expect(modelsOf(installed, { KILN_LOCAL_MODELS: 'two' }).variables).toMatchObject({ KILN_EMBEDDING_MODEL: 'two' });
    expect(modelsOf(installed, { KILN_LOCAL_MODELS: 'two,one' }).variables).toMatchObject({
      KILN_EMBEDDING_MODEL: 'two,one',
    });
    expect(() => modelsOf(installed, { KILN_LOCAL_MODELS: 'three' })).toThrow(
      failure(/not installed. Installed: one, two/),
    );
  });
});
