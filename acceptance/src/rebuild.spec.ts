// A rebuild of the search index by the operator's command line.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repositoryDirectory } from '@kiln/dev';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { KilnClient } from './support/kiln-client.js';
import { newOrganizationWithKey } from './support/operator.config.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const TIMEOUT_MS = 60_000;

describe('kiln search rebuild', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  let organizationId: string;
  beforeAll(async () => {
    system = await systemUnderTest();
    const made = await newOrganizationWithKey(system.dataDir);
    organizationId = made.organizationId;
    client = await KilnClient.of(system.client.baseUrl, made.apiKey);
  });
  afterAll(() => system.stop());

  function kilnSearch(...words: string[]) {
    const main = join(repositoryDirectory, 'infra/dev/dist/operator/main.js');
    const environment = { PATH: '/usr/bin:/bin', KILN_DATA_DIR: system.dataDir };
    const options = { encoding: 'utf8', env: environment, timeout: TIMEOUT_MS } as const;
    return spawnSync(process.execPath, [main, 'search', ...words], options);
  }
  const found = async (query: string) => (await client.search(query, { mode: 'text' })).results;

  it('finds files by the forms of words in the language that the organization has set since, with the same texts', async () => {
    const text = '# Bericht\n\nDie alten Häuser am Fluss sind seit vielen Jahren bewohnt.';
    const { body } = await client.upload('bericht.md', text, {});
    expect((await client.waitForJob(body.job_id, TIMEOUT_MS)).status).toBe('completed');
    expect([await found('Haus'), (await found('Häuser')).length]).toStrictEqual([[], 1]);
    await client.request('PUT', '/v1/org/settings', { json: { search_language: 'auto' } });
    expect(await found('Haus')).toStrictEqual([]);
    const [before] = await found('Häuser');

    const { status, stdout, stderr } = kilnSearch('rebuild', '--org', organizationId);
    expect([status, stderr]).toStrictEqual([0, '']);
    expect(stdout).toMatch(/done: 1 rebuilt, 0 indexed anew meanwhile, 0 deleted or not indexed, 0 failed\n$/);
    const [result] = await found('Haus');
    expect(result).toMatchObject({ file_id: body.id, chunk_text: before?.chunk_text });
    expect(result?.snippet).toContain('<mark>Häuser</mark>');
    expect(await found('Häusern')).toHaveLength(1);
  });

  it('explains what is missing', () => {
    expect(kilnSearch('rebuild')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^--tenant must be given, or --org, or --all\n/),
    });
  });
});
