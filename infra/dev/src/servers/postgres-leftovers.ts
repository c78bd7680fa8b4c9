/**
 * After `kill -9` of Postgres, its backends exit with a delay, and `postmaster.pid` stays. A new server refuses to start in that
 * state, because two servers on one cluster would destroy it. So this waits for leftovers, then ends them, and then removes the
 * stale file. Because of the launcher's lock, a process in the cluster's folder is always a leftover of this installation.
 */
import { readFileSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../processes/process-identity.js';
import { isRunning, signalProcess, startTimeOf } from '../processes/process-identity.js';
import { waitUntil } from '../processes/wait-until.js';

export async function clearStalePostmaster(cluster: string): Promise<void> {
  const gone = () => processesIn(cluster).length === 0;
  const orphansNoticeMilliseconds = 3_000;
  if (!(await waitUntil(gone, { deadlineMilliseconds: orphansNoticeMilliseconds }))) {
    for (const leftover of processesIn(cluster)) signalProcess(leftover, 'SIGQUIT', 'process');
    if (!(await waitUntil(gone, { deadlineMilliseconds: orphansNoticeMilliseconds }))) {
      for (const leftover of processesIn(cluster)) signalProcess(leftover, 'SIGKILL', 'process');
      await waitUntil(gone, { deadlineMilliseconds: orphansNoticeMilliseconds });
    }
  }
  if (gone()) rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** Postgres processes with the cluster as working directory, as all processes of a server have. */
function processesIn(cluster: string): ProcessIdentity[] {
  const folder = realpathSync(cluster);
  if (process.platform !== 'linux') return postmasterOf(cluster);
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && workingDirectoryOf(entry) === folder)
    .flatMap((entry) => identityOf(Number(entry)));
}

function workingDirectoryOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // It has exited, or belongs to another user.
  }
}

/** Without /proc, only the postmaster is known, by the pid and start time in its lock file. */
function postmasterOf(cluster: string): ProcessIdentity[] {
  try {
    const [pid, , startSeconds] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n').map(Number);
    const [identity] = identityOf(pid ?? 0);
    const sameStart = Math.abs(Date.parse(identity?.startTime ?? '') / 1000 - (startSeconds ?? 0)) <= 2;
    return identity && sameStart && isRunning(identity) ? [identity] : [];
  } catch {
    return [];
  }
}

function identityOf(pid: number): ProcessIdentity[] {
  const startTime = startTimeOf(pid);
  return startTime === undefined ? [] : [{ pid, startTime }];
}
