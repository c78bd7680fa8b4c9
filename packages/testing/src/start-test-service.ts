/**
 * Starts one compiled service as a process, on a migrated database and in its own bus namespace, and waits until it is ready. Prints its log to standard error
 * if it does not become ready.
 */
import { compileCache, migrateBuiltService, repositoryDirectory, waitUntil } from '@kiln/dev';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { announcedPort } from './announced-port.js';
import { createTestDatabase } from './database.js';
import { testNats } from './infrastructure.js';
import { testNamespace } from './namespace.js';

export interface TestServiceOptions {
  name: string;
  role?: 'api' | 'worker' | 'all';
  /** An existing database and namespace, to let several services work together. */
  databaseUrl?: string;
  namespace?: string;
  environment?: Record<string, string>;
}

export interface TestService {
  readonly healthUrl: string;
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly process: ChildProcess;
  /** Sends SIGTERM and returns the exit code (null if a signal ended the process). */
  stop(): Promise<number | null>;
}

const READY_TIMEOUT_MS = 120_000;
/** One key for all services of a test file, so that they can open each other's sealed values. */
const ENCRYPTION_KEY = randomBytes(32).toString('base64');

export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase()).url;
  const namespace = options.namespace ?? testNamespace();
  const folder = join(repositoryDirectory, 'services', options.name);
  await migrateBuiltService(options.name, databaseUrl);
  const child = spawn(process.execPath, [join(folder, 'dist/main.js')], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...compileCache,
      PATH: '/usr/bin:/bin',
      KILN_ROLE: options.role ?? 'api',
      KILN_HEALTH_PORT: '0',
      KILN_BUS_NAMESPACE: namespace,
      DATABASE_URL: databaseUrl,
      NATS_URL: await testNats(),
      KILN_ENCRYPTION_KEY: ENCRYPTION_KEY,
      ...options.environment,
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  void ended.then(() => process.off('exit', endWithUs));
  const log = collectLog(child);
  const port = await announcedPort(child, 'health').catch(() => 0);
  const healthUrl = `http://127.0.0.1:${port}`;
  const ready = await waitUntil(() => isReady(healthUrl, child), { deadlineMilliseconds: READY_TIMEOUT_MS });
  if (ready === undefined || child.exitCode !== null) {
    process.stderr.write(log.join(''));
    throw new Error(`${options.name} is not ready (exit code ${child.exitCode})`);
  }
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { healthUrl, databaseUrl, namespace, process: child, stop };
}

function collectLog(child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => lines.push(data.toString()));
  return lines;
}

async function isReady(healthUrl: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) return true;
  try {
    return (await fetch(`${healthUrl}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
