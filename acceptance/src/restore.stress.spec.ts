// A database that is restored from a backup, with a bucket and a broker that are newer than the backup.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSystem } from '@kiln/dev/start-system';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEndpoint } from './support/endpoints.js';
import { startForeignBucket } from './support/foreign-bucket.js';
import { revisit, travel, type Surroundings } from './support/journey.js';
import { bodyOf, KilnClient } from './support/kiln-client.js';
import { kiln } from './support/operator.config.js';

const apiKey = `kiln_live_${'b'.repeat(43)}`;
let directory: string;
let surroundings: Surroundings;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kiln-restore-'));
  await chmod(directory, 0o711); // As root, Postgres runs under another account, which must be able to enter.
  surroundings = { endpoint: await startEndpoint(), bucket: await startForeignBucket() };
  await surroundings.bucket.put('ledger.txt', 'The ledger lists the cargo of each ship.');
});
afterAll(async () => {
  await surroundings.endpoint.close();
  await surroundings.bucket.remove();
  await rm(directory, { recursive: true, force: true });
});

const dataDir = () => join(directory, 'data');
const backup = () => join(directory, 'backup');
const postgres = () => join(dataDir(), 'postgres');
/** With the owners of the files. */
const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

async function run<Result>(work: (client: KilnClient) => Promise<Result>): Promise<Result> {
  const environment = { KILN_OUTBOUND_ALLOW: '127.0.0.1' };
  const system = await startSystem({ dataDir: dataDir(), apiKey, environment });
  try {
    return await work(await KilnClient.of(system.baseUrl, system.apiKey));
  } finally {
    await system.stop();
  }
}

it('has the files of the backup and none after it, events are handled, and new work is done', async () => {
  const begun = new Date();
  const kept = await run((client) => travel(client, 'kept', surroundings));
  await copy(postgres(), backup());
  const lost = await run((client) => travel(client, 'lost', surroundings));

  // As in docs/backup.md.
  await rm(postgres(), { recursive: true });
  await copy(backup(), postgres());
  await rm(join(dataDir(), 'nats'), { recursive: true });

  await run(async (client) => {
    const republished = await kiln(dataDir(), 'events', 'republish', '--since', begun.toISOString());
    expect(republished).toMatch(/^[1-9]\d* events will be published again$/m);
    await revisit(client, kept);
    bodyOf(await client.get(`/v1/files/${lost.pdfId}`), 404);
    expect((await client.search('harbour', { space: lost.space })).total).toBe(0);
    await revisit(client, await travel(client, 'after', surroundings));
  });
});
