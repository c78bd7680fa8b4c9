/** Launches a separate Kiln, as `npm start` does, for tests and benches over HTTP: own data directory, free ports, known API key. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LauncherError } from './errors.js';
import type { RunJson } from './launcher/run-json.js';
import { waitUntil } from './processes/wait-until.js';
import { compileCache, repositoryDirectory } from './repository.js';
import { inheritedForSystem } from './system-environment.config.js';

export type { RunJson } from './launcher/run-json.js';

export interface StartSystemOptions {
  /** Data directory of an earlier system, to continue with its data. Default: a new one, removed by stop(). */
  readonly dataDir?: string;
  /** Gateway port. Default: a free one. */
  readonly port?: number;
  /** First live key: `kiln_live_` and 43 letters and digits. Default: random. */
  readonly apiKey?: string;
  /** Additional variables for the launcher and its services. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The launcher to run. Default: that of `npm start`, already built. */
  readonly entry?: string;
  /** The account to run under, if called by root. */
  readonly account?: { readonly uid: number; readonly gid: number };
  /** Timeout until ready. Default 180,000: a first start may have to download servers. */
  readonly timeoutMs?: number;
}

export interface RunningSystem {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly dataDir: string;
  /** The launcher's pid. */
  readonly pid: number;
  /** The launcher's output so far. */
  readonly output: () => string;
  /** The current addresses. */
  readonly runJson: () => RunJson;
  /** Stops as on Ctrl-C and returns the launcher's exit code. Removes a data directory created here. */
  readonly stop: () => Promise<number | null>;
  /** Sends SIGKILL to the launcher only. Its children run until the next start on this data directory stops them. */
  readonly killLauncher: () => Promise<void>;
}

const STARTS_MAX = 3;

/** What acceptance suites need of a system: webhooks and buckets on loopback, any rate of requests, and small plans. */
export const acceptanceEnvironment = {
  KILN_OUTBOUND_ALLOW: '127.0.0.1',
  KILN_RATE_LIMIT_RPS: '100000',
  KILN_RATE_LIMIT_BURST: '100000',
  KILN_PLAN_PAGES: 'free=10:stop,pro=12',
};

/** The system that acceptance suites share. */
export const startSharedSystem = (): Promise<RunningSystem> => startSystem({ environment: acceptanceEnvironment });

/**
 * Rejects with the launcher's output if it exits, or is not ready in time. Starts again where another process took one of the free ports
 * before a service could listen.
 */
export async function startSystem(options: StartSystemOptions = {}): Promise<RunningSystem> {
  for (let start = 1; ; start += 1) {
    try {
      return await startOnce(options);
    } catch (thrown) {
      if (start === STARTS_MAX || !/EADDRINUSE/.test(String(thrown))) throw thrown;
    }
  }
}

async function startOnce(options: StartSystemOptions): Promise<RunningSystem> {
  const dataDir = options.dataDir ?? temporaryDataDirectory(options.account);
  const apiKey = options.apiKey ?? `kiln_live_${randomBytes(32).toString('hex').slice(0, 43)}`;
  const child = spawn(process.execPath, [options.entry ?? join(repositoryDirectory, 'infra/dev/dist/main.js')], {
    cwd: repositoryDirectory,
    env: {
      ...compileCache,
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
    throw new LauncherError(
      'service_start_failed',
      `The system did not become ready. Output of the launcher:\n${output}`,
    );
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
  chmodSync(directory, 0o711); // As root, Postgres runs under another account, which must be able to enter.
  if (account) chownSync(directory, account.uid, account.gid);
  return directory;
}
