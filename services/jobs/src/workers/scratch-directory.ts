// Scratch space of one worker process. What killed workers have left behind goes first: documents are not to lie around.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
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
  mkdirSync(own);
  return own;
}
