/** Runs a command with the output of this process. Returns its exit code, or null if a signal ended it. */
import { spawn } from 'node:child_process';

export interface CommandRun {
  readonly repository: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export async function runCommand(
  command: string,
  words: readonly string[],
  { repository, environment, signal }: CommandRun,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd: repository, env: environment, stdio: ['ignore', 'inherit', 'inherit'] });
    const end = () => void child.kill('SIGTERM');
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    child.once('error', reject);
    child.once('close', (exitCode) => {
      signal.removeEventListener('abort', end);
      resolve(exitCode);
    });
  });
}
