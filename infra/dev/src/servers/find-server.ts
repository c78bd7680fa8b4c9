/**
 * Finds a server program without changing the system: in PATH, in the cache folder of an earlier run, in Debian's packages unpacked
 * into that folder, or from Homebrew on a Mac. Never starts a daemon of the distribution.
 */
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LauncherError, messageOf } from '../errors.js';
import { searchPath } from '../search-path.config.js';
import { repositoryDirectory } from '../repository.js';
import { unpackDebianPackages } from './debian-packages.js';
import type { ServerOptions } from './server.js';

/** PgBouncer is for tests only. */
export type ServerProgramName = 'nats-server' | 'redis-server' | 'pgbouncer';

export interface ServerProgram {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

const PACKAGES = {
  'nats-server': { debian: ['nats-server'], brew: 'nats-server', variable: 'NATS_URL' },
  'redis-server': { debian: ['redis-server', 'redis-tools'], brew: 'redis', variable: 'REDIS_URL' },
  pgbouncer: { debian: ['pgbouncer'], brew: 'pgbouncer', variable: 'DATABASE_URL' },
} as const;

export async function findServer(
  name: ServerProgramName,
  options: Pick<ServerOptions, 'cacheDirectory' | 'directory' | 'report'>,
): Promise<ServerProgram> {
  const installed = executableIn([...searchPath(), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'], name);
  if (installed) return { path: installed, environment: { PATH: '/usr/bin:/bin' } };
  const unpacked = join(cacheDirectory(options), 'servers', name);
  if (existsSync(unpacked)) return unpackedProgram(unpacked, name);
  const attempts: string[] = [];
  for (const obtain of [unpackDebianPackages, installWithBrew]) {
    try {
      if (await obtain({ ...PACKAGES[name], directory: unpacked, report: options.report })) break;
    } catch (thrown) {
      attempts.push(messageOf(thrown));
    }
  }
  if (existsSync(unpacked)) return unpackedProgram(unpacked, name);
  const brewed = executableIn(['/opt/homebrew/bin', '/usr/local/bin'], name);
  if (brewed) return { path: brewed, environment: { PATH: '/usr/bin:/bin' } };
  throw notFound(name, attempts);
}

/** The requested folder, or `.cache` of the checkout, or (in a read-only checkout) one next to the server's data. */
function cacheDirectory(options: Pick<ServerOptions, 'cacheDirectory' | 'directory'>): string {
  const preferred = options.cacheDirectory ?? join(repositoryDirectory, '.cache');
  try {
    mkdirSync(join(preferred, 'servers'), { recursive: true });
    accessSync(join(preferred, 'servers'), constants.W_OK);
    return preferred;
  } catch {
    return existsSync(join(preferred, 'servers')) ? preferred : join(options.directory, 'cache');
  }
}

function unpackedProgram(directory: string, name: ServerProgramName): ServerProgram {
  const path = executableIn([join(directory, 'usr/bin'), join(directory, 'usr/sbin')], name);
  if (path === undefined)
    throw notFound(name, [`${directory} contains no ${name}; delete that folder and start again`]);
  const libraries = ['usr/lib', 'lib'].map((folder) => join(directory, folder)).filter((folder) => existsSync(folder));
  const architectureFolders = libraries.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name.includes('-linux-'))
      .map((entry) => join(folder, entry.name)),
  );
  return {
    path,
    environment: { PATH: '/usr/bin:/bin', LD_LIBRARY_PATH: [...architectureFolders, ...libraries].join(delimiter) },
  };
}

function executableIn(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function installWithBrew(request: { brew: string; report?: ServerOptions['report'] }): Promise<boolean> {
  const brew = executableIn(searchPath(), 'brew');
  if (process.platform !== 'darwin' || brew === undefined) return false;
  request.report?.(`installing ${request.brew} with Homebrew`);
  await promisify(execFile)(brew, ['install', '--quiet', request.brew], { timeout: 600_000 });
  return true;
}

function notFound(name: ServerProgramName, attempts: readonly string[]): LauncherError {
  const { debian, brew, variable } = PACKAGES[name];
  const reasons = attempts.map((reason) => `\n  tried: ${reason}`).join('');
  return new LauncherError(
    'server_not_found',
    `${name} was not found in PATH and could not be fetched. Install it (apt install ${debian[0]}, or brew install ` +
      `${brew}), or set ${variable} to a running server, or use docker compose up.${reasons}`,
  );
}
