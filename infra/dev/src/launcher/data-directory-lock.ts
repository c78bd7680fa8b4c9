/**
 * Allows one launcher per data directory. The lock names its holder by pid and start time, so that the next launcher recognizes and
 * replaces a lock left by `kill -9`.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LauncherError } from '../errors.js';
import type { ProcessIdentity } from '../processes/process-identity.js';
import { isRunning, startTimeOf } from '../processes/process-identity.js';

export interface DataDirectoryLock {
  release(): void;
}

/** Throws `data_directory_in_use` if another running launcher holds the directory. */
export function lockDataDirectory(directory: string): DataDirectoryLock {
  const path = join(directory, 'launcher.lock');
  const mine = JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (createExclusively(path, mine)) return { release: () => releaseLock(path, mine) };
    const held = readText(path);
    if (held === undefined) continue;
    const holder = parseHolder(held);
    if (holder && isRunning(holder)) throw inUse(directory, holder.pid);
    removeStale(path, held);
  }
  throw inUse(directory, undefined);
}

/** Creating a hard link is atomic: the lock file is never seen half written. */
function createExclusively(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moves the stale lock aside first. If it belongs to a new holder, it is put back. */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
    if (readText(aside) !== stale) linkSync(aside, path);
  } catch {
    // Another launcher was faster. The next attempt sees its lock.
  } finally {
    rmSync(aside, { force: true });
  }
}

function releaseLock(path: string, mine: string): void {
  if (readText(path) === mine) rmSync(path, { force: true });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    const { pid, startTime } = JSON.parse(text) as Partial<ProcessIdentity>;
    return Number.isSafeInteger(pid) && typeof startTime === 'string' ? { pid: Number(pid), startTime } : undefined;
  } catch {
    return undefined;
  }
}

function inUse(directory: string, pid: number | undefined): LauncherError {
  const who = pid === undefined ? 'Another launcher' : `Another launcher (pid ${pid})`;
  return new LauncherError(
    'data_directory_in_use',
    `${who} runs on ${directory}. Stop it, or start beside it: KILN_PORT=8081 KILN_DATA_DIR=.kiln-2 npm start`,
  );
}
