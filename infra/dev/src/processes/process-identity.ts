/**
 * Says which process a number means. A pid alone is reused by the system, so everything that may be signalled later is
 * remembered as pid + start time, and signalled only while both still match.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque: clock ticks since boot on Linux, the text of `ps -o lstart` elsewhere. Only ever compared. */
  readonly startTime: string;
}

/** The start time of a living process; undefined when there is none, or only its zombie. */
export function startTimeOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
}

/** Whether exactly this process, not a later one with its number, is still running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return startTimeOf(identity.pid) === identity.startTime;
}

/** Sends a signal to the process and to the group it leads, if it still is that process. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals, target: 'process' | 'group'): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(target === 'group' ? -identity.pid : identity.pid, signal);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
}

function startTimeFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold spaces, so count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function startTimeFromPs(pid: number): string | undefined {
  try {
    const [state, ...start] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}
