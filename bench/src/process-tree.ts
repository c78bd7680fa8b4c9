// CPU time of processes from /proc (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html). Linux only.
import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, which is 100 on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

interface Stat {
  parent: number;
  seconds: number;
}

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain any character. Count fields from the one after it, which is the third.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    return { parent: Number(fields[1]), seconds };
  } catch {
    return null; // It has exited.
  }
}

/** CPU seconds used by the processes and all their living descendants. */
export function cpuSeconds(roots: readonly number[]): number {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    if (stat) stats.set(Number(name), stat);
  }
  let total = 0;
  for (const [pid, { seconds }] of stats) {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = stats.get(at)?.parent) {
      if (!roots.includes(at)) continue;
      total += seconds;
      break;
    }
  }
  return total;
}
