import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const psDeadlineMs = 2000;

/** The resident memory of a process and its descendants in bytes, or null when the process has ended. */
export async function residentBytes(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return residentBytesByPs(pid);
  const own = residentKibibytes(pid);
  if (own === null) return null;
  let kibibytes = own;
  const pending = childrenOf(pid);
  for (let child = pending.pop(); child !== undefined; child = pending.pop()) {
    kibibytes += residentKibibytes(child) ?? 0;
    pending.push(...childrenOf(child));
  }
  return kibibytes * 1024;
}

function residentKibibytes(pid: number): number | null {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readOrEmpty(`/proc/${pid}/status`))?.[1];
  return found === undefined ? null : Number(found);
}

/** Each thread has children of its own. */
function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  return namesIn(tasks).flatMap((id) => readOrEmpty(`${tasks}/${id}/children`).split(' ').filter(Boolean).map(Number));
}

/** Reading /proc does not wait for a disk. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Without descendants. */
function residentBytesByPs(pid: number): Promise<number | null> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], { timeout: psDeadlineMs }, (error, output) => {
      const kibibytes = Number.parseInt(output, 10);
      resolve(error === null && Number.isFinite(kibibytes) ? kibibytes * 1024 : null);
    });
  });
}
