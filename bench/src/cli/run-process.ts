import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The wall time of a program of Node, from its start to its exit. Rejects if it fails. */
export async function millisecondsOf(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, argv, { env, maxBuffer: 2 ** 26 });
  return performance.now() - startedAt;
}
