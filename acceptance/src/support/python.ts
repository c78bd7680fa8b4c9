// A virtual environment of Python in a temporary folder, where the machine has Python and a package index.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonEnvironment } from './python.config.js';

export interface Python {
  /** Whether there is a Python from 3.9 with `venv`, and a package index. */
  isUsable: boolean;
  folder: string;
  /** Returns what the module printed. Rejects with its output if it fails. */
  run: (args: readonly string[], environment?: Readonly<Record<string, string>>) => Promise<string>;
  remove: () => Promise<void>;
}

const IS_NEW_ENOUGH = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 9))';
/** A machine without an index is not kept waiting: one attempt of a few seconds. */
const PROBE = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--retries', '0', '--timeout', '5', 'hatchling'];
const TIMEOUT_MS = 170_000;

/** Leaves no folder behind if Python is not usable. */
export async function findPython(cwd: string): Promise<Python> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-python-'));
  const program = join(folder, 'venv/bin/python');
  const remove = () => rm(folder, { recursive: true });
  const prepare = async () => {
    await execFileOf('python3', ['-c', IS_NEW_ENOUGH], cwd);
    await execFileOf('python3', ['-m', 'venv', join(folder, 'venv')], cwd);
    await execFileOf(program, [...PROBE, '--dest', join(folder, 'probe')], cwd);
  };
  const isUsable = await prepare().then(
    () => true,
    () => false,
  );
  if (!isUsable) await remove();
  return { isUsable, folder, run: (args, environment) => execFileOf(program, args, cwd, environment), remove };
}

async function execFileOf(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd, env: pythonEnvironment(environment), timeout: TIMEOUT_MS, encoding: 'utf8' } as const;
  try {
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (cause) {
    const { stdout, stderr } = cause as { stdout?: string; stderr?: string };
    throw new Error(`python ${args.join(' ')} has failed:\n${stdout ?? ''}${stderr ?? ''}`, { cause });
  }
}
