/**
 * A folder for servers that live as long as this process (tests, benches). The next process that requests such a folder stops
 * servers left by a `kill -9`.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessRegistry } from '../processes/process-registry.js';

const NAME = /^kiln-servers-(\d+)-/;

export interface TemporaryHome {
  readonly directory: string;
  /** Pass it to every starter, so that leftovers can be found. */
  readonly registry: ProcessRegistry;
  /** Deletes the folder. Stop the servers first. Synchronous, so that it can run on process exit. */
  remove(): void;
}

export async function makeTemporaryHome(): Promise<TemporaryHome> {
  await clearAbandonedHomes();
  const directory = mkdtempSync(join(tmpdir(), `kiln-servers-${process.pid}-`));
  chmodSync(directory, 0o711); // As root, Postgres runs under another account, which must be able to enter.
  return {
    directory,
    registry: new ProcessRegistry(join(directory, 'pids.json')),
    remove: () => removeDirectory(directory),
  };
}

async function clearAbandonedHomes(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(NAME.exec(name)?.[1]);
    const directory = join(tmpdir(), name);
    if (!pid || isAlive(pid) || !isOurs(directory)) continue;
    await new ProcessRegistry(join(directory, 'pids.json')).clearLeftovers();
    removeDirectory(directory);
  }
}

/** Other users can create folders in the temp folder, so only own folders are trusted. */
function isOurs(directory: string): boolean {
  return statSync(directory, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

function removeDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
