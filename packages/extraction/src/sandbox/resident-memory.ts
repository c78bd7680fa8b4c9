import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const psDeadlineMs = 2000;

/** The resident memory of a process in bytes, or null when the process has ended. */
export async function residentBytes(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return residentBytesByPs(pid);
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => null);
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '')?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

function residentBytesByPs(pid: number): Promise<number | null> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], { timeout: psDeadlineMs }, (error, output) => {
      const kibibytes = Number.parseInt(output, 10);
      resolve(error === null && Number.isFinite(kibibytes) ? kibibytes * 1024 : null);
    });
  });
}
