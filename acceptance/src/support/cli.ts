// Runs the command line as a person does: the program, with pipes in place of a terminal.
import { repositoryDirectory } from '@kiln/dev';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ENTRY = join(repositoryDirectory, 'packages/cli/bin/kiln.js');

export interface Ended {
  exit: number | null;
  out: string;
  err: string;
}

export interface Started {
  ended: Promise<Ended>;
  /** As Ctrl-C does. */
  interrupt(): void;
}

/** The environment is given whole: nothing of that of the tests is passed on. */
export function startCli(words: readonly string[], env: Readonly<Record<string, string>>, input = ''): Started {
  const child = spawn(process.execPath, [ENTRY, ...words], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ended = Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return {
    ended: ended.then(([exit, out, err]) => ({ exit, out, err })),
    interrupt: () => void child.kill('SIGINT'),
  };
}
