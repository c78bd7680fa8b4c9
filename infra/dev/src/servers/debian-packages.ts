/**
 * Downloads Debian packages with apt and unpacks them into a folder, without root, installation or daemons. Missing libraries are
 * included.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { searchPath } from '../search-path.config.js';

const run = promisify(execFile);

export interface PackageRequest {
  readonly debian: readonly string[];
  /** The folder appears atomically. */
  readonly directory: string;
  readonly report?: ((line: string) => void) | undefined;
}

let lastUnpacking: Promise<unknown> = Promise.resolve();

/** Returns false if this is not Debian. Throws apt's message if the download failed. Serialized, because apt locks its state. */
export async function unpackDebianPackages(request: PackageRequest): Promise<boolean> {
  const unpacking = lastUnpacking.then(() => unpack(request));
  lastUnpacking = unpacking.catch(() => undefined);
  return unpacking;
}

async function unpack(request: PackageRequest): Promise<boolean> {
  if (process.platform !== 'linux' || !isAvailable('apt-get') || !isAvailable('dpkg')) return false;
  mkdirSync(dirname(request.directory), { recursive: true });
  const workDirectory = mkdtempSync(`${request.directory}.`);
  try {
    request.report?.(`fetching ${request.debian[0]} from the distribution's packages (unpacked, not installed)`);
    const apt = await usableApt(request.debian, workDirectory, request.report);
    const packages = await withMissingLibraries(request.debian, apt);
    await runApt('apt-get', [...apt, 'download', ...packages], workDirectory);
    const root = join(workDirectory, 'root');
    for (const file of readdirSync(workDirectory).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg', ['-x', join(workDirectory, file), root], { timeout: 60_000 });
    }
    try {
      renameSync(root, request.directory);
    } catch {
      // Another launcher has unpacked the same packages first.
    }
    return true;
  } finally {
    rmSync(workDirectory, { recursive: true, force: true });
  }
}

/**
 * The options with which apt knows the packages. Missing package lists are refreshed: in place as root, otherwise (or if that
 * fails) in state folders inside the work directory.
 */
async function usableApt(
  packages: readonly string[],
  workDirectory: string,
  report: PackageRequest['report'],
): Promise<string[]> {
  // apt switches to its own user for downloads, which cannot write into this folder. It then warns and continues as root.
  const shared = ['-o', 'APT::Sandbox::User=root', '-o', 'Acquire::Retries=3', '-o', 'Acquire::http::Timeout=20'];
  if (await knows(shared, packages)) return shared;
  report?.('refreshing the package lists');
  if (process.getuid?.() === 0) {
    // Fails if another apt holds the lock or the system's state is read-only. Then private lists are used.
    await runApt('apt-get', [...shared, 'update'], workDirectory).catch(() => undefined);
    if (await knows(shared, packages)) return shared;
  }
  const lists = join(workDirectory, 'lists');
  const cache = join(workDirectory, 'cache');
  mkdirSync(join(lists, 'partial'), { recursive: true });
  mkdirSync(join(cache, 'archives/partial'), { recursive: true });
  const own = [...shared, '-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`];
  await runApt('apt-get', [...own, 'update'], workDirectory);
  return own;
}

async function knows(apt: readonly string[], packages: readonly string[]): Promise<boolean> {
  try {
    await runApt('apt-cache', [...apt, 'show', '--quiet', ...packages], '/');
    return true;
  } catch {
    return false;
  }
}

/** The packages and the missing libraries they need, recursively. */
async function withMissingLibraries(packages: readonly string[], apt: readonly string[]): Promise<string[]> {
  const wanted = new Set(packages);
  for (const name of wanted) {
    for (const library of await librariesOf(name, apt)) {
      if (!wanted.has(library) && !(await isInstalled(library))) wanted.add(library);
    }
  }
  return [...wanted];
}

async function librariesOf(name: string, apt: readonly string[]): Promise<string[]> {
  const lines = (await runApt('apt-cache', [...apt, 'depends', '--important', name], '/')).split('\n');
  return lines.flatMap((line) => /^\s+(?:Pre)?Depends: ((?:lib|lua)[a-z0-9.+-]+)$/.exec(line)?.[1] ?? []);
}

async function isInstalled(name: string): Promise<boolean> {
  try {
    const { stdout } = await run('dpkg-query', ['--show', '--showformat', '${db:Status-Status}', name]);
    return stdout.includes('installed') && !stdout.includes('not-installed');
  } catch {
    return false;
  }
}

function isAvailable(program: string): boolean {
  return searchPath().some((folder) => {
    try {
      return readdirSync(folder).includes(program);
    } catch {
      return false;
    }
  });
}

async function runApt(program: 'apt-get' | 'apt-cache', words: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await run(program, words, {
      cwd,
      timeout: 300_000,
      maxBuffer: 64 * 1024 * 1024,
      env: { PATH: searchPath().join(':'), DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    });
    return stdout;
  } catch (thrown) {
    const said = String((thrown as { stderr?: string }).stderr ?? thrown).trim();
    throw new Error(`${basename(program)} ${words.at(-1) ?? ''}: ${said.split('\n').slice(-3).join(' ')}`, {
      cause: thrown,
    });
  }
}
