/** The common interface of all server starters, and the loop that waits until a started server is ready. */
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { LauncherError } from '../errors.js';
import type { ChildProcess, ExitStatus } from '../processes/child-process.js';
import { freePort } from '../processes/free-port.js';
import type { ProcessRegistry } from '../processes/process-registry.js';
import { replaceFile } from '../processes/replace-file.js';
import { waitUntil } from '../processes/wait-until.js';

export interface ServerOptions {
  /** The folder for the server's data, password and configuration. Created if missing. */
  readonly directory: string;
  /** Default: a free port below 32768. */
  readonly port?: number | undefined;
  /** Default: `<directory>/<name>.log`. */
  readonly logPath?: string | undefined;
  readonly registry?: ProcessRegistry | undefined;
  /** If true, the server does not keep this process alive. Default false. */
  readonly background?: boolean | undefined;
  /** The folder of downloaded server programs. Default: `.cache` of the repository. */
  readonly cacheDirectory?: string | undefined;
  /** Called with one line per step that takes noticeable time. Default: no output. */
  readonly report?: ((line: string) => void) | undefined;
}

export interface RunningServer {
  /** The URL, including the password. Do not log it. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<ExitStatus>;
  /** Shuts the server down, with SIGKILL after a deadline. Returns when the process has exited. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): void;
}

/** Runs `start` on the requested port, or on free ports until one is not taken by another process. */
export async function onFreePort<T>(port: number | undefined, start: (port: number) => Promise<T>): Promise<T> {
  if (port !== undefined) return start(port);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (thrown) {
      if (attempt === 3 || !/address already in use|bind/i.test(String(thrown))) throw thrown;
    }
  }
}

/** Waits until `probe` succeeds. Fails with the end of the log if the process exits or the time is over. */
export async function untilServing(
  child: ChildProcess,
  probe: () => Promise<boolean>,
  deadlineMilliseconds = 60_000,
): Promise<void> {
  const state = await waitUntil(async () => (child.exitStatus ? 'exited' : (await probe()) && 'serving'), {
    deadlineMilliseconds,
  });
  if (state === 'serving') return;
  await child.stop('SIGTERM', 2_000);
  const reason = state === 'exited' ? 'exited during start' : `did not respond within ${deadlineMilliseconds / 1000} s`;
  throw new LauncherError('server_start_failed', `${child.name} ${reason}. Its log ends with:\n${child.log.tail()}`);
}

/** Makes a directory that other users may pass through but not list. */
export function makeDirectory(path: string, mode = 0o711): void {
  if (mkdirSync(path, { recursive: true }) !== undefined) chmodSync(path, mode);
}

/** Reads the secret in `<directory>/<name>`. Creates it on the first call. */
export function keptSecret(directory: string, name: string): string {
  const path = join(directory, name);
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret !== '') return secret;
  } catch {
    // The first start creates it below.
  }
  const secret = randomBytes(24).toString('hex');
  replaceFile(path, `${secret}\n`);
  return secret;
}
