// Stores of other authors, which `install-counterparts.mjs` of this package installs for the user. Specs skip those that are missing.
import { freePort, waitUntil } from '@kiln/dev';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Program {
  path: string;
}

export interface RunningProgram {
  port: number;
  close(): Promise<void>;
}

const FOLDER = join(homedir(), '.cache/kiln/counterparts');
const STARTS_MAX = 3;

/** The program, or the reason why a spec is skipped. */
export async function installedProgram(name: string, place = `bin/${name}`): Promise<Program | { reason: string }> {
  const path = join(FOLDER, place);
  const reason = `${name} is not installed: node packages/storage/install-counterparts.mjs`;
  return access(path).then(
    () => ({ path }),
    () => ({ reason }),
  );
}

/** Starts a program that listens on a port of its command line, and waits until it accepts connections. */
export async function startProgram(
  { path }: Program,
  argumentsOf: (port: number) => readonly string[],
  environment: Record<string, string> = {},
): Promise<RunningProgram> {
  for (let start = 1; start <= STARTS_MAX; start += 1) {
    const port = await freePort();
    const child = spawn(path, argumentsOf(port), { stdio: 'ignore', env: { PATH: '/usr/bin:/bin', ...environment } });
    const exited = once(child, 'exit');
    const close = async () => {
      child.kill('SIGKILL');
      await exited;
    };
    const listens = async () => child.exitCode === null && (await accepts(port));
    if (await waitUntil(listens, { deadlineMilliseconds: 30_000 })) return { port, close };
    await close();
  }
  throw new Error(`${path} did not start`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
