// The operator's command line against the running system.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repositoryDirectory } from '@kiln/dev';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreatedFile, Job, KilnClient } from './support/kiln-client.js';
import { newSpace } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const UNKNOWN_ORGANIZATION = 'org_01h455vb4pex5vsknk084sn02q';
const TIMEOUT_MS = 60_000;

type Shown = Pick<Job, 'id' | 'status' | 'error'> & { refusal: { code: string } | null; dry_run: boolean };

describe('kiln jobs', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  afterAll(() => system.stop());

  const kiln = (...words: string[]) => kilnWith({}, ...words);
  function kilnWith(variables: Record<string, string>, ...words: string[]) {
    const main = join(repositoryDirectory, 'infra/dev/dist/operator/main.js');
    const environment = { PATH: '/usr/bin:/bin', KILN_DATA_DIR: system.dataDir, ...variables };
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
    expect((await client.waitForJob(body.job_id)).error?.code).toBe('corrupt_file');
    return body.job_id;
  }
  const waiting = async (space: string) =>
    (await client.post<CreatedFile>('/v1/upload', { filename: 'a.md', space })).body.job_id;

  it('takes the address of the database from a file, instead of the running system', async () => {
    const space = newSpace();
    const id = await waiting(space);
    const { postgres } = JSON.parse(readFileSync(join(system.dataDir, 'run.json'), 'utf8')) as {
      postgres: { url: string };
    };
    const directory = mkdtempSync(join(tmpdir(), 'kiln-operator-'));
    const path = join(directory, 'database-url');
    writeFileSync(path, postgres.url);
    const list = ['list', '--space', space, '--json'];
    expect(idsOf(kilnWith({ DATABASE_URL_FILE: path }, ...list).shown())).toStrictEqual([id]);
    rmSync(directory, { recursive: true });
    expect(kilnWith({ DATABASE_URL_FILE: path }, ...list)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/DATABASE_URL_FILE: the file cannot be read/),
    });
  });

  it('lists jobs that match all filters, and shows one with all its runs', async () => {
    const space = newSpace();
    const [broken, idle] = [await failed(space), await waiting(space)];
    expect(idsOf(kiln('list', '--space', space, '--json').shown())).toStrictEqual([broken, idle].sort());
    const { org_id: org } = (await client.get<{ org_id: string }>('/v1/me')).body;
    const filters = ['--space', space, '--error', 'corrupt_file', '--status', 'failed', '--org', org];
    expect(idsOf(kiln('list', ...filters, '--json').shown())).toStrictEqual([broken]);
    expect(kiln('list', ...filters).stdout).toMatch(new RegExp(`^${broken} .*failed.*corrupt_file$`, 'm'));
    expect(kiln('list', ...filters, '--older-than', '30d').stdout).toBe('no jobs\n');
    const { tenant_id: _tenant, ...details } = JSON.parse(kiln('inspect', '--job', broken).stdout) as Record<
      string,
      unknown
    >;
    expect(details).toStrictEqual(await jobOf(broken));
  });

  it('changes nothing without a selection, or with --dry-run', async () => {
    const space = newSpace();
    const idle = await waiting(space);
    const incomplete = [
      ['cancel'],
      ['requeue', '--json'],
      ['cancel', '--job', idle, '--all'],
      ['list', '--error', 'bad'],
    ];
    for (const words of incomplete) {
      expect(kiln(...words)).toMatchObject({ status: 1, stderr: expect.stringMatching(/usage:/) });
    }
    expect(kiln('list', '--org', UNKNOWN_ORGANIZATION).stderr).toMatch(/there is no organization/);
    const shown = kiln('cancel', '--space', space, '--dry-run', '--json').shown();
    expect(shown.map(({ id, dry_run: dryRun }) => [id, dryRun])).toStrictEqual([[idle, true]]);
    expect((await jobOf(idle)).status).toBe('queued');
  });

  it('cancels queued jobs, like the API', async () => {
    const space = newSpace();
    const idle = [await waiting(space), await waiting(space)];
    const other = await waiting(newSpace());
    const { status, stdout } = kiln('cancel', '--space', space);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^2 cancelled, 0 refused$/m);
    for (const id of idle) expect((await jobOf(id)).status).toBe('cancelled');
    expect((await jobOf(other)).status).toBe('queued');
    expect(kiln('cancel', '--space', space).stdout).toMatch(/^0 cancelled/m);
    const again = kiln('cancel', '--job', idle[0] ?? '', '--json');
    expect([again.status, again.shown()[0]?.refusal?.code]).toStrictEqual([2, 'CONFLICT']);
  });

  it('requeues failed jobs, which run again', async () => {
    const space = newSpace();
    const broken = [await failed(space), await failed(space)];
    const shown = kiln('requeue', '--space', space, '--error', 'corrupt_file', '--json').shown();
    expect(idsOf(shown)).toStrictEqual(broken.toSorted());
    for (const id of broken) {
      const { status, attempts } = await client.waitForJob(id);
      expect([status, attempts]).toStrictEqual(['failed', 2]);
    }
  });
});
