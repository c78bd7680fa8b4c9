/**
 * The folder and the end of servers a single spec starts for itself. They do not keep the process alive, and die with
 * it; what a `kill -9` of the test process leaves is cleared by the next one.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerOptions } from '@kiln/dev';
import { ProcessRegistry } from '@kiln/dev';

const FOLDER_PATTERN = /^kiln-test-(\d+)-/;
let home: Promise<{ directory: string; registry: ProcessRegistry }> | undefined;

export async function ownServerOptions(name: string): Promise<ServerOptions> {
  const { directory, registry } = await (home ??= makeHome());
  return { directory: join(directory, name), registry, background: true };
}

async function makeHome(): Promise<{ directory: string; registry: ProcessRegistry }> {
  await clearAbandoned();
  const directory = mkdtempSync(join(tmpdir(), `kiln-test-${process.pid}-`));
  chmodSync(directory, 0o711); // Postgres may run under another account and must be able to pass.
  const registry = new ProcessRegistry(join(directory, 'pids.json'));
  process.once('exit', () => {
    registry.killAll();
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });
  return { directory, registry };
}

async function clearAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(FOLDER_PATTERN.exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    const directory = join(tmpdir(), name);
    await new ProcessRegistry(join(directory, 'pids.json')).clearLeftovers();
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
