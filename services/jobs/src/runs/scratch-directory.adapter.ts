// Scratch space of one worker process. Opening it removes what killed workers have left behind, since documents must not stay on disk.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** An empty folder below `root`, named by this process's id. */
export function openScratchDirectory(root: string): string {
  const workers = join(root, 'jobs');
  mkdirSync(workers, { recursive: true });
  for (const name of readdirSync(workers)) {
    const pid = Number(name);
    if (pid === process.pid || !isAlive(pid)) rmSync(join(workers, name), { recursive: true, force: true });
  }
  const own = join(workers, String(process.pid));
  // Documents: for no other user of the machine.
  mkdirSync(own, { mode: 0o700 });
  return own;
}

/** A folder of one run, created on first use: small texts need none. */
export class ScratchFolder {
  private made: Promise<string> | null = null;

  constructor(private readonly directory: string) {}

  path(): Promise<string> {
    this.made ??= mkdir(this.directory, { recursive: true }).then(() => this.directory);
    return this.made;
  }

  async remove(): Promise<void> {
    if (this.made === null) return;
    await this.made.catch(() => undefined);
    await rm(this.directory, { recursive: true, force: true });
  }
}
