/** As root, drills run in a mount namespace of their own: what they mount is gone when they end, however they end. */
import { spawnSync } from 'node:child_process';

const INSIDE = 'KILN_DRILLS_INSIDE';

/** Runs this program again inside such a namespace, and returns its exit code. Null if it is inside, or the caller is not root. */
export function runInPrivateMounts(): number | null {
  if (process.env[INSIDE] !== undefined || process.getuid?.() !== 0) return null;
  const words = ['--mount', '--propagation', 'private', process.execPath, ...process.argv.slice(1)];
  const { status } = spawnSync('unshare', words, { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } });
  return status ?? 1;
}
