/** What every server starter takes and gives, and the loop that turns a spawned process into a server that answers. */
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
  /** Where the server keeps its data, its password and its configuration; made when missing. */
  readonly directory: string;
  /** Default: a free one below 32768. */
  readonly port?: number | undefined;
  /** Default: `<directory>/<name>.log`. */
  readonly logPath?: string | undefined;
  readonly registry?: ProcessRegistry | undefined;
  /** True: the server does not keep our process alive. Default false. */
  readonly background?: boolean | undefined;
  /** Downloaded server programs are kept here. Default: `.cache` of the repository. */
  readonly cacheDirectory?: string | undefined;
  /** Hears one line per step that takes noticeable time. Default: silence. */
  readonly report?: ((line: string) => void) | undefined;
}

export interface RunningServer {
  /** How to reach it, with its password: keep it out of logs. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<ExitStatus>;
  /** Clean shutdown; insists with SIGKILL after a deadline; returns when the process is gone. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): void;
}

/** Runs `start` on the port asked for, or on free ones until a start is not lost to somebody who took the port first. */
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

/** Waits until `probe` says the server serves; fails with the log's tail when the process ends or the time is over. */
export async function untilServing(
  child: ChildProcess,
  probe: () => Promise<boolean>,
  deadlineMilliseconds = 30_000,
): Promise<void> {
  const state = await waitUntil(async () => (child.exitStatus ? 'exited' : (await probe()) && 'serving'), {
    deadlineMilliseconds,
  });
  if (state === 'serving') return;
  await child.stop('SIGTERM', 2_000);
  const reason = state === 'exited' ? 'ended while starting' : `did not answer within ${deadlineMilliseconds / 1000} s`;
  throw new LauncherError('server_start_failed', `${child.name} ${reason}. Its log ends with:\n${child.log.tail()}`);
}

/** Makes a directory that other users may pass through but not list. */
export function makeDirectory(path: string, mode = 0o711): void {
  if (mkdirSync(path, { recursive: true }) !== undefined) chmodSync(path, mode);
}

/** The secret kept in `<directory>/<name>`, made at the first call. */
export function keptSecret(directory: string, name: string): string {
  const path = join(directory, name);
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret !== '') return secret;
  } catch {
    // First start: falls through to making one.
  }
  const secret = randomBytes(24).toString('hex');
  replaceFile(path, `${secret}\n`);
  return secret;
}
