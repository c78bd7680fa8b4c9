/**
 * After `kill -9` of Postgres its backends need a moment to notice, and `postmaster.pid` stays. A new server refuses to
 * start while either is in the way, and rightly: two servers on one cluster would destroy it. So leftovers are waited
 * out, then ended, and only then is the stale file removed. The launcher's lock makes sure that whatever runs in the
 * cluster's folder is a leftover of ours.
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

/** Postgres processes whose working directory is the cluster; every one of a server's processes stands there. */
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
    return undefined; // Ended meanwhile, or somebody else's.
  }
}

/** Without /proc only the postmaster is known, by the pid and start second it wrote into its own lock file. */
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
