/** Drills that mount file systems run in a mount namespace of their own: what they mount is gone when they end, however they end. */
import { spawnSync } from 'node:child_process';

const INSIDE = 'KILN_DRILLS_INSIDE';
const UNSHARE = '/usr/bin/unshare';
const PRIVATE = ['--mount', '--propagation', 'private'];

/** The reason why file systems cannot be mounted. Null if they can. */
export function mountsMissing(): string | null {
  const isPermitted = process.getuid?.() === 0 && spawnSync(UNSHARE, [...PRIVATE, 'true']).status === 0;
  return isPermitted ? null : 'only root on Linux may mount file systems, outside of containers that forbid it';
}

/** Replaces this process, once, by the same program in such a namespace. Does nothing without the right to create one. */
export function enterPrivateMounts(): void {
  if (process.env[INSIDE] !== undefined || mountsMissing() !== null) return;
  const words = [UNSHARE, ...PRIVATE, process.execPath, ...process.argv.slice(1)];
  process.execve?.(UNSHARE, words, { ...process.env, [INSIDE]: '1' });
}
