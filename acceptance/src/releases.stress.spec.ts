// The release before beside this one, on one database: each process once is of the other release. Skipped where the history of the
// checkout does not contain that release.
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { processName, topology } from '@kiln/dev/launcher';
import { startSystem, type RunningSystem, type StartSystemOptions } from '@kiln/dev/start-system';
import { buildLastRelease, startMixedSystem } from '@kiln/releases';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEndpoint } from './support/endpoints.js';
import { startForeignBucket } from './support/foreign-bucket.js';
import { revisit, travel, type Surroundings, type Travelled } from './support/journey.js';
import { KilnClient } from './support/kiln-client.js';

const release = buildLastRelease();
const processes = topology.map(processName);
const others = (names: readonly string[]) => processes.filter((name) => !names.includes(name));

const mixes: [string, string[]][] = [
  ...processes.map((name): [string, string[]] => [`${name} alone`, [name]]),
  ['all services behind a gateway of this release', others(['gateway-api'])],
  ['all workers and consumers behind a jobs API of this release', others(['jobs-api'])],
];

const options: StartSystemOptions = { environment: { KILN_OUTBOUND_ALLOW: '127.0.0.1' } };
const clientOf = ({ baseUrl, apiKey }: Pick<RunningSystem, 'baseUrl' | 'apiKey'>) =>
  KilnClient.unchecked(baseUrl, apiKey);

(release ? describe : describe.skip)('the release before', () => {
  let surroundings: Surroundings;

  beforeAll(async () => {
    surroundings = { endpoint: await startEndpoint(), bucket: await startForeignBucket() };
    await surroundings.bucket.put('ledger.txt', 'The ledger lists the cargo of each ship.');
  });
  afterAll(async () => {
    await surroundings.endpoint.close();
    await surroundings.bucket.remove();
  });

  it.each(mixes)('serves a whole journey as %s', async (_, names) => {
    const system = await startMixedSystem({ directory: release?.directory ?? '', processes: names }, options);
    try {
      await travel(clientOf(system), 'mixed', surroundings);
    } finally {
      await system.stop();
    }
  });

  describe('with data', () => {
    let dataDir: string;
    const travelled: Travelled[] = [];

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'kiln-upgrade-'));
      await chmod(dataDir, 0o711); // As root, Postgres runs under another account, which must be able to enter.
    });
    afterAll(() => rm(dataDir, { recursive: true, force: true }));

    async function run(entry: string | undefined, space: string): Promise<void> {
      const apiKey = `kiln_live_${'a'.repeat(43)}`;
      const system = await startSystem({ ...options, dataDir, apiKey, ...(entry !== undefined && { entry }) });
      try {
        for (const earlier of travelled) await revisit(clientOf(system), earlier);
        travelled.push(await travel(clientOf(system), space, surroundings));
      } finally {
        await system.stop();
      }
    }

    const before = join(release?.directory ?? '', 'infra/dev/dist/main.js');

    it.each([
      ['starts', before],
      ['is upgraded', undefined],
      ['goes back without a restored database', before],
      ['is upgraded again', undefined],
    ])('%s', async (step, entry) => {
      await run(entry, step.replaceAll(' ', '-'));
    });
  });
});
