/**
 * Launches a whole Kiln of its own, as `npm start` does, for tests and benches that speak HTTP to it: own data
 * directory, free ports, known API key.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LauncherError } from './errors.js';
import type { RunJson } from './launcher/run-json.js';
import { waitUntil } from './processes/wait-until.js';
import { repositoryDirectory } from './repository.js';
import { inheritedForSystem } from './system-environment.config.js';

export type { RunJson } from './launcher/run-json.js';

export interface StartSystemOptions {
  /** Data directory of an earlier system, to go on with its data. Default: a fresh one, removed by stop(). */
  readonly dataDir?: string;
  /** Gateway port. Default: a free one. */
  readonly port?: number;
  /** First live key: `kiln_live_` and 43 letters and digits. Default: random. */
  readonly apiKey?: string;
  /** More variables for the launcher and, through it, for the services. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Launcher to run. Default: the one behind `npm start`, already built. */
  readonly entry?: string;
  /** Account to run under, when called by root. */
  readonly account?: { readonly uid: number; readonly gid: number };
  /** Until ready. Default 180,000: a first start may have to fetch servers. */
  readonly timeoutMs?: number;
}

export interface RunningSystem {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly dataDir: string;
  /** The launcher's own pid. */
  readonly pid: number;
  /** Everything the launcher printed so far. */
  readonly output: () => string;
  /** Where everything listens, as of now. */
  readonly runJson: () => RunJson;
  /** Clean stop, as by Ctrl-C; answers the launcher's exit code. Removes a data directory made here. */
  readonly stop: () => Promise<number | null>;
  /** SIGKILL for the launcher alone: its children stay, until the next start on this data directory clears them. */
  readonly killLauncher: () => Promise<void>;
}

/** Rejects with the launcher's output when it ends, or is not ready in time. */
export async function startSystem(options: StartSystemOptions = {}): Promise<RunningSystem> {
  const dataDir = options.dataDir ?? temporaryDataDirectory(options.account);
  const apiKey = options.apiKey ?? `kiln_live_${randomBytes(32).toString('hex').slice(0, 43)}`;
  const child = spawn(process.execPath, [options.entry ?? join(repositoryDirectory, 'infra/dev/dist/main.js')], {
    cwd: repositoryDirectory,
    env: {
      ...inheritedForSystem(),
      KILN_PORT: String(options.port ?? 0),
      KILN_DATA_DIR: dataDir,
      KILN_API_KEY: apiKey,
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options.account,
  });
  let output = '';
  for (const pipe of [child.stdout, child.stderr])
    pipe.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const endWithUs = () => void child.kill('SIGTERM');
  process.once('exit', endWithUs);
  void exited.then(() => process.off('exit', endWithUs));

  const removeOwnData = () => {
    if (options.dataDir === undefined)
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  const stop = async () => {
    child.kill('SIGTERM');
    const exitCode = await exited;
    removeOwnData();
    return exitCode;
  };
  const baseUrl = await waitUntil(
    () => /^ready (\S+)$/m.exec(output)?.[1] ?? (child.exitCode !== null || child.signalCode !== null ? '' : undefined),
    { deadlineMilliseconds: options.timeoutMs ?? 180_000 },
  );
  if (!baseUrl) {
    await stop();
    throw new LauncherError('service_start_failed', `The system did not become ready. The launcher said:\n${output}`);
  }
  return {
    baseUrl,
    apiKey,
    dataDir,
    pid: Number(child.pid),
    output: () => output,
    runJson: () => JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as RunJson,
    stop,
    killLauncher: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function temporaryDataDirectory(account: StartSystemOptions['account']): string {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-system-'));
  chmodSync(directory, 0o711); // As root, Postgres runs under another account and must be able to pass.
  if (account) chownSync(directory, account.uid, account.gid);
  return directory;
}
