// Unpacks Debian packages, and dependencies that the machine lacks, into a folder of the repository's cache without installing them:
// `apt-get download`, `dpkg -x`. Requires root only to refresh missing package lists.
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { clientEnvironment } from './client-environment.config.js';
import { mustRun, runProgram } from './run-program.js';

export interface UnpackedPackages {
  environment: NodeJS.ProcessEnv;
}

const REFRESHES_MAX = 20;
const REFRESH_PAUSE_MS = 3_000;
const CACHE = resolve(import.meta.dirname, '../../../../.cache/debian-clients');

/** The environment in which the programs of `packages` run, or the reason why they are unavailable. */
export async function debianPackages(packages: readonly string[]): Promise<UnpackedPackages | { reason: string }> {
  const apt = await runProgram('apt-get', ['--version']).catch(() => undefined);
  if (apt?.code !== 0) return { reason: 'apt-get is not here: these clients are tested on Debian and Ubuntu' };
  const root = join(CACHE, packages.join('+'));
  if (!(await exists(root))) await unpack(packages, root);
  const architectures = (await readdir(join(root, 'usr/lib')).catch(() => [])).filter((name) => name.endsWith('-gnu'));
  return { environment: clientEnvironment(root, architectures) };
}

async function unpack(packages: readonly string[], root: string): Promise<void> {
  const staging = `${root}.${process.pid}`;
  await mkdir(staging, { recursive: true });
  try {
    await mustRun('apt-get', ['download', ...(await missingPackages(packages))], { cwd: staging });
    for (const name of await readdir(staging)) {
      if (name.endsWith('.deb')) await mustRun('dpkg', ['-x', name, '.'], { cwd: staging });
    }
    await rename(staging, root).catch(async (error: unknown) => {
      // Another spec has unpacked the same packages meanwhile.
      if (!(await exists(root))) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Asks apt what it would install. */
async function missingPackages(packages: readonly string[]): Promise<string[]> {
  const question = ['install', '--simulate', '--reinstall', '-y', '--no-install-recommends', ...packages];
  let answer = await runProgram('apt-get', question);
  for (let tries = 0; answer.code !== 0 && process.getuid?.() === 0 && tries < REFRESHES_MAX; tries += 1) {
    // Fails while another spec refreshes the same lists: then theirs will do.
    const { code } = await runProgram('apt-get', ['update']);
    if (code !== 0) await delay(REFRESH_PAUSE_MS);
    answer = await runProgram('apt-get', question);
  }
  if (answer.code !== 0)
    throw new Error(`apt-get cannot find ${packages.join(', ')} (run apt-get update):\n${answer.output}`);
  return [...answer.output.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
