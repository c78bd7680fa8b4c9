// An operator at the command line, beside the running system.
import { repositoryDirectory } from '@kiln/dev';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CreatedFile, Job, KilnClient } from './support/kiln-client.js';
import { newSpace } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const UNKNOWN_ORGANIZATION = 'org_01h455vb4pex5vsknk084sn02q';
const TIMEOUT_MS = 60_000;

type Shown = Pick<Job, 'id' | 'status' | 'error'> & { refusal: { code: string } | null; dry_run: boolean };

describe('kiln jobs', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  before(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  after(() => system.stop());

  function kiln(...words: string[]) {
    const main = join(repositoryDirectory, 'infra/dev/dist/operator/main.js');
    const environment = { PATH: '/usr/bin:/bin', KILN_DATA_DIR: system.dataDir };
    const options = { encoding: 'utf8', env: environment, timeout: TIMEOUT_MS } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'jobs', ...words], options);
    return {
      status,
      stdout,
      stderr,
      shown: () =>
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Shown),
    };
  }
  const idsOf = (shown: Shown[]) => shown.map(({ id }) => id).sort();
  const jobOf = async (id: string) => (await client.get<Job>(`/v1/jobs/${id}`)).body;
  async function failed(space: string): Promise<string> {
    const { body } = await client.upload('broken.pdf', '%PDF-1.7 and no more', { space });
    assert.equal((await client.waitForJob(body.job_id)).error?.code, 'corrupt_file');
    return body.job_id;
  }
  const waiting = async (space: string) =>
    (await client.post<CreatedFile>('/v1/upload', { filename: 'a.md', space })).body.job_id;

  it('lists what matches all filters, and shows one with all its runs', async () => {
    const space = newSpace();
    const [broken, idle] = [await failed(space), await waiting(space)];
    assert.deepEqual(idsOf(kiln('list', '--space', space, '--json').shown()), [broken, idle].sort());
    const { org_id: org } = (await client.get<{ org_id: string }>('/v1/me')).body;
    const filters = ['--space', space, '--error', 'corrupt_file', '--status', 'failed', '--org', org];
    assert.deepEqual(idsOf(kiln('list', ...filters, '--json').shown()), [broken]);
    assert.match(kiln('list', ...filters).stdout, new RegExp(`^${broken} .*failed.*corrupt_file$`, 'm'));
    assert.equal(kiln('list', ...filters, '--older-than', '30d').stdout, 'no jobs\n');
    const { tenant_id: _tenant, ...details } = JSON.parse(kiln('inspect', '--job', broken).stdout) as Record<
      string,
      unknown
    >;
    assert.deepEqual(details, await jobOf(broken));
  });

  it('changes nothing without being told which, nor for show', async () => {
    const space = newSpace();
    const idle = await waiting(space);
    for (const words of [
      ['cancel'],
      ['requeue', '--json'],
      ['cancel', '--job', idle, '--all'],
      ['list', '--error', 'bad'],
    ]) {
      const { status, stderr } = kiln(...words);
      assert.equal(status, 1, words.join(' '));
      assert.match(stderr, /usage:/);
    }
    assert.match(kiln('list', '--org', UNKNOWN_ORGANIZATION).stderr, /there is no organization/);
    const shown = kiln('cancel', '--space', space, '--dry-run', '--json').shown();
    assert.deepEqual(
      shown.map(({ id, dry_run: dryRun }) => [id, dryRun]),
      [[idle, true]],
    );
    assert.equal((await jobOf(idle)).status, 'queued');
  });

  it('cancels what waits, as the API does', async () => {
    const space = newSpace();
    const idle = [await waiting(space), await waiting(space)];
    const other = await waiting(newSpace());
    const { status, stdout } = kiln('cancel', '--space', space);
    assert.equal(status, 0);
    assert.match(stdout, /^2 cancelled, 0 refused$/m);
    for (const id of idle) assert.equal((await jobOf(id)).status, 'cancelled');
    assert.equal((await jobOf(other)).status, 'queued');
    assert.match(kiln('cancel', '--space', space).stdout, /^0 cancelled/m);
    const again = kiln('cancel', '--job', idle[0] ?? '', '--json');
    assert.deepEqual([again.status, again.shown()[0]?.refusal?.code], [2, 'CONFLICT']);
  });

  it('requeues what failed, and it runs once more', async () => {
    const space = newSpace();
    const broken = [await failed(space), await failed(space)];
    const shown = kiln('requeue', '--space', space, '--error', 'corrupt_file', '--json').shown();
    assert.deepEqual(idsOf(shown), broken.toSorted());
    for (const id of broken) {
      const { status, attempts } = await client.waitForJob(id);
      assert.deepEqual([status, attempts], ['failed', 2]);
    }
  });
});
