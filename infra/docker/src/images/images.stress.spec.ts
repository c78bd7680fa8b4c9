// Every image of a service, run from its assembled files beside a launched system: read-only, as user 10001, without capabilities. Skipped
// without root, which is needed to make a new root.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { freePort, repositoryDirectory, waitUntil } from '@kiln/dev';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { runInRoot, type ContainerCommand, type ContainerProcess } from '../test/container-root.js';
import { images, type Image } from './image-list.js';

const mayMakeRoots = process.getuid?.() === 0;
const services = images.filter(({ folder }) => folder.startsWith('services/'));
const directory = mkdtempSync(join(tmpdir(), 'kiln-images-'));

(mayMakeRoots ? describe : describe.skip)('the image of', () => {
  let system: RunningSystem;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(async () => {
    await system.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function assembled({ name, folder }: Image): Promise<string> {
    const image = join(directory, name);
    const script = join(repositoryDirectory, 'infra/docker/assemble-image.mjs');
    await promisify(execFile)(process.execPath, [script, folder, image], { timeout: 150_000 });
    return image;
  }

  /** What the launcher gave to the process of this service, with free ports. */
  async function variablesOf(name: string): Promise<Record<string, string>> {
    const running = system.runJson().services.find((service) => service.name === name);
    if (!running) throw new Error(`${name} does not run`);
    const pairs = readFileSync(`/proc/${running.pid}/environ`, 'utf8').split('\0').filter(Boolean);
    const inherited = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]));
    const wanted = Object.entries(inherited).filter(([key]) => /^(KILN_|DATABASE_URL|NATS_URL|REDIS_URL)/.test(key));
    const [port, healthPort] = [await freePort(), await freePort()];
    return {
      ...Object.fromEntries(wanted),
      KILN_HEALTH_PORT: String(healthPort),
      KILN_SCRATCH_DIR: '/scratch',
      ...(inherited['KILN_PORT'] !== undefined && { KILN_PORT: String(port) }),
    };
  }

  async function readyOrEnded(child: ContainerProcess, url: string): Promise<number | undefined> {
    return waitUntil(
      async () => {
        if (child.exitCode !== null || child.signalCode !== null) return 0;
        const response = await fetch(url).catch(() => undefined);
        return response?.ok ? response.status : undefined;
      },
      { deadlineMilliseconds: 120_000 },
    );
  }

  /** Runs the default command until it is ready, and stops it. */
  async function runsUntilStopped(container: Omit<ContainerCommand, 'command'>, path: string): Promise<void> {
    const service = runInRoot({ ...container, command: ['node', 'dist/main.js'] });
    const ended = Promise.all([text(service.stderr), text(service.stdout), once(service, 'close')]);
    const url = `http://127.0.0.1:${container.environment['KILN_HEALTH_PORT']}${path}`;
    try {
      expect([await readyOrEnded(service, url), service.exitCode]).toStrictEqual([200, null]);
      const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
      expect(status).toMatch(/^Uid:\t10001\t10001\t10001/m);
      expect(status).toMatch(/^CapEff:\t0+\nCapBnd:\t0+$/m);
    } finally {
      service.kill('SIGTERM');
    }
    const [problems] = await ended;
    expect([service.exitCode, problems]).toStrictEqual([0, '']);
  }

  it.each(services)('$name migrates, becomes ready, lists its packages, and stops on SIGTERM', async (image) => {
    const files = await assembled(image);
    const environment = await variablesOf(image.name);
    const run = (command: string[]) => runInRoot({ image: files, folder: image.folder, command, environment });

    const migration = run(['node', 'dist/migrate.js']);
    const [printed] = await Promise.all([text(migration.stdout), once(migration, 'exit')]);
    expect(printed).toBe(`${image.name}: up to date\n`);

    await runsUntilStopped({ image: files, folder: image.folder, environment }, '/readyz');

    const bill = JSON.parse(readFileSync(join(files, 'sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      components: { name: string; version: string; purl: string; licenses?: unknown[] }[];
    };
    expect(bill.bomFormat).toBe('CycloneDX');
    expect(bill.components.find(({ name }) => name === 'pg')?.purl).toMatch(/^pkg:npm\/pg@/);
    expect(bill.components.filter(({ name }) => name.startsWith('node-linux'))).toStrictEqual([]);
    rmSync(files, { recursive: true });
  });

  it('the object store becomes ready, and stops on SIGTERM', async () => {
    const [image] = images.filter(({ name }) => name === 'object-store');
    if (!image) throw new Error('no image of the object store');
    const files = await assembled(image);
    const port = String(await freePort());
    const environment = {
      KILN_HEALTH_PORT: port,
      KILN_STORE_PORT: port,
      KILN_STORE_DIR: '/data',
      KILN_STORE_BUCKETS: 'kiln',
      KILN_STORE_ACCESS_KEY_ID: 'AKIAIMAGE',
      KILN_STORE_SECRET_ACCESS_KEY: 'a-secret-of-this-test',
    };
    await runsUntilStopped({ image: files, folder: image.folder, environment }, '/-/health');
  });
});
