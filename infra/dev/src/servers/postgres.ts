/**
 * A Postgres cluster in a folder, configured for little memory and full durability (fsync stays on). Created once with a generated
 * password, kept between runs, listening on loopback only.
 */
import { chownSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { LauncherError } from '../errors.js';
import type { ChildOptions } from '../processes/child-process.js';
import { ChildProcess } from '../processes/child-process.js';
import { clearStalePostmaster } from './postgres-leftovers.js';
import { postgresHome, postgresPrograms } from './postgres-files.js';
import type { RunningServer, ServerOptions } from './server.js';
import { keptSecret, onFreePort, untilServing } from './server.js';
import { unprivilegedAccount } from './unprivileged-account.js';

const DATABASE = 'kiln';
const SUPERUSER = 'kiln';
const FAST_SHUTDOWN = 'SIGINT';
/** After a crash, the write-ahead log is replayed before the first connection. */
const RECOVERY_DEADLINE_MILLISECONDS = 120_000;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  max_connections: '150',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
} as const;
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

type ProcessPlace = Pick<ChildOptions, 'workingDirectory' | 'logPath' | 'user' | 'registry' | 'background'>;

/** Starts the cluster in `directory`, which is created on the first run, and waits until the database responds. */
export async function startPostgres(options: ServerOptions): Promise<RunningServer> {
  const account = unprivilegedAccount(join(options.directory, 'cluster'));
  const programs = postgresPrograms(account);
  const home = postgresHome(options.directory, account);
  const cluster = join(home, 'cluster');
  const password = keptSecret(home, 'password');
  const place: ProcessPlace = {
    workingDirectory: home,
    logPath: options.logPath ?? join(options.directory, 'postgres.log'),
    user: account,
    registry: options.registry,
    background: options.background,
  };
  if (!existsSync(cluster)) {
    options.report?.('creating the Postgres cluster');
    await createCluster(programs, home, place);
  }
  await clearStalePostmaster(cluster);
  return onFreePort(options.port, async (port) => {
    const settings = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = await ChildProcess.start({
      ...place,
      name: 'postgres',
      command: join(programs, 'bin/postgres'),
      arguments: ['-D', cluster, ...settings],
      environment: ENVIRONMENT,
    });
    const url = (database: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
    await untilServing(child, () => ensureDatabase(url(DATABASE), url('postgres')), RECOVERY_DEADLINE_MILLISECONDS);
    return {
      url: url(DATABASE),
      port,
      pid: child.pid,
      exited: child.exited,
      stop: async () => {
        await child.stop(FAST_SHUTDOWN);
        await clearStalePostmaster(cluster);
      },
      kill: () => child.kill(),
    };
  });
}

/** True if the database responds to a query. Creates the database if it is missing. */
async function ensureDatabase(url: string, maintenanceUrl: string): Promise<boolean> {
  try {
    await runStatement(url, 'select 1');
    return true;
  } catch (thrown) {
    const invalidCatalogName = '3D000';
    if ((thrown as { code?: string }).code !== invalidCatalogName) return false;
    await runStatement(maintenanceUrl, `create database ${DATABASE}`);
    return false;
  }
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 10_000 });
  client.on('error', () => undefined); // A lost connection fails the next query.
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs initdb in a temporary folder and renames it when complete, so that an interrupted first start leaves no partial cluster. */
async function createCluster(programs: string, home: string, place: ProcessPlace): Promise<void> {
  const unfinished = join(home, 'cluster.new');
  const passwordPath = join(home, 'password');
  rmSync(unfinished, { recursive: true, force: true });
  if (place.user) chownSync(passwordPath, place.user.uid, place.user.gid);
  // Text search classifies characters by the C library's locale. Sorting is by code point.
  const characterClasses = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const child = await ChildProcess.start({
    ...place,
    name: 'initdb',
    command: join(programs, 'bin/initdb'),
    arguments: [
      `--pgdata=${unfinished}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordPath}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      `--lc-ctype=${characterClasses}`,
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ],
    environment: { PATH: ENVIRONMENT.PATH, TZ: ENVIRONMENT.TZ },
  });
  const deadline = setTimeout(() => child.kill(), 120_000);
  const { code } = await child.exited;
  clearTimeout(deadline);
  if (code !== 0) {
    throw new LauncherError('server_start_failed', `Creating the Postgres cluster failed:\n${child.log.tail()}`);
  }
  renameSync(unfinished, join(home, 'cluster'));
}
