// Runs a program to its end without blocking the server in the same process.
import { spawn } from 'node:child_process';

export interface ProgramResult {
  code: number | null;
  output: string;
}

interface RunOptions {
  cwd?: string;
  environment?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

export async function runProgram(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<ProgramResult> {
  const { cwd, environment, timeoutMs = 120_000 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      ...(cwd !== undefined && { cwd }),
      ...(environment !== undefined && { env: environment }),
    });
    let output = '';
    const collect = (piece: Buffer): void => void (output += piece.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Standard output of a program that must succeed. */
export async function mustRun(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, output } = await runProgram(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
