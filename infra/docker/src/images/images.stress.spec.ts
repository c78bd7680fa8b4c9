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
import { runInRoot, type ContainerProcess } from '../test/container-root.js';
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

  async function readyOrEnded(child: ContainerProcess, healthPort: string): Promise<number | undefined> {
    return waitUntil(
      async () => {
        if (child.exitCode !== null || child.signalCode !== null) return 0;
        const response = await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => undefined);
        return response?.ok ? response.status : undefined;
      },
      { deadlineMilliseconds: 120_000 },
    );
  }

  it.each(services)('$name migrates, becomes ready, lists its packages, and ends when it is told to', async (image) => {
    const files = await assembled(image);
    const environment = await variablesOf(image.name);
    const run = (command: string[]) => runInRoot({ image: files, folder: image.folder, command, environment });

    const migration = run(['node', 'dist/migrate.js']);
    const [printed] = await Promise.all([text(migration.stdout), once(migration, 'exit')]);
    expect(printed).toBe(`${image.name}: up to date\n`);

    const service = run(['node', 'dist/main.js']);
    const log = text(service.stdout);
    const problems = text(service.stderr);
    try {
      expect([await readyOrEnded(service, environment['KILN_HEALTH_PORT'] ?? ''), service.exitCode]).toStrictEqual([
        200,
        null,
      ]);
      const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
      expect(/^Uid:\t10001\t10001\t10001/m.test(status)).toBe(true);
      expect(/^CapEff:\t0+$/m.test(status) && /^CapBnd:\t0+$/m.test(status)).toBe(true);
    } finally {
      service.kill('SIGTERM');
    }
    await once(service, 'exit');
    expect([service.exitCode, await problems]).toStrictEqual([0, '']);
    expect(await log).toContain('"msg":"ready"');

    const bill = JSON.parse(readFileSync(join(files, 'sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      components: { name: string; version: string; purl: string; licenses?: unknown[] }[];
    };
    expect(bill.bomFormat).toBe('CycloneDX');
    expect(bill.components.find(({ name }) => name === 'pg')?.purl).toMatch(/^pkg:npm\/pg@/);
    expect(bill.components.filter(({ name }) => name.startsWith('node-linux'))).toStrictEqual([]);
    rmSync(files, { recursive: true });
  });
});
