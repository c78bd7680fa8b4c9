/** What needs no privilege: the limits that the kernel sets to a process of any user, and its end with its parent. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { toolSearchPath } from './config.js';
import { statusOf } from './proc-files.js';

export const openFilesMax = 512;
/** Of `setpriv`. */
export const dieWithParent = ['--pdeathsig', 'KILL'];

/**
 * Processes and threads that a user may have beyond those that it has. The kernel counts all of the user, also those of other containers,
 * which cannot be seen from here.
 */
const furtherTasksMax = 4096;

/** Arguments: limits, `--`, the command. A limit that the system does not permit is left out. The kernel kills this process first when memory runs out. */
const script = `
{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
while [ "$1" != -- ]; do
  prlimit --pid $$ "$1" 2>/dev/null
  shift
done
shift
exec "$@"
`;

/** `fileBytesMax` is the size of a file that the command writes. */
export function limitedCommand(command: readonly string[], fileBytesMax: number): readonly string[] {
  if (!areLimitsPermitted()) return command;
  const limits = ['--core=0', `--fsize=${fileBytesMax}`, `--nofile=${openFilesMax}`, `--nproc=${tasksMax()}`];
  return [...unprivileged(), findTool('sh'), '-c', script, 'kiln-sandbox', ...limits, '--', ...command];
}

let permitted: boolean | null = null;

/** Whether `limitedCommand` limits a process, and the kernel ends it with its parent. Not without Linux and util-linux. */
export function areLimitsPermitted(): boolean {
  permitted ??=
    process.platform === 'linux' &&
    ['setpriv', 'prlimit', 'sh'].every((name) => pathOf(name) !== undefined) &&
    canRun([...unprivileged(), findTool('sh'), '-c', ':']);
  return permitted;
}

function canRun([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function unprivileged(): string[] {
  return [findTool('setpriv'), ...dieWithParent, '--no-new-privs'];
}

/** @throws Error if it is missing. */
export function findTool(name: string): string {
  const found = pathOf(name);
  if (found === undefined) throw new Error(`${name} is not installed (package util-linux)`);
  // On systems where /bin is a link, the private root has no /bin.
  return found.endsWith(`${sep}sh`) ? found : realpathSync(found);
}

function pathOf(name: string): string | undefined {
  return toolSearchPath()
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

let knownTasksMax: number | null = null;

/** Counted once: the margin is large. */
function tasksMax(): number {
  knownTasksMax ??= furtherTasksMax + tasksOf(process.getuid?.() ?? 0);
  return knownTasksMax;
}

function tasksOf(userId: number): number {
  let tasks = 0;
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const status = statusOf(pid);
    if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) === userId) tasks += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]);
  }
  return tasks;
}
