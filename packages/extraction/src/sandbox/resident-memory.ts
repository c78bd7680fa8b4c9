import { execFile } from 'node:child_process';
import { descendantsOf, statusOf } from './proc-files.js';

const psDeadlineMs = 2000;

/** The resident memory of a process and its descendants in bytes, or null when the process has ended. */
export async function residentBytes(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return residentBytesByPs(pid);
  const own = residentKibibytes(pid);
  if (own === null) return null;
  const kibibytes = descendantsOf(pid).reduce((sum, child) => sum + (residentKibibytes(child) ?? 0), own);
  return kibibytes * 1024;
}

function residentKibibytes(pid: number): number | null {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(statusOf(pid))?.[1];
  return found === undefined ? null : Number(found);
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
