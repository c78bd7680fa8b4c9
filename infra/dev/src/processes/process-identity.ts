/**
 * Identifies processes. The system reuses pids, so a process that may be signalled later is recorded as pid and start time, and
 * signalled only if both match.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque: clock ticks since boot on Linux, the text of `ps -o lstart` elsewhere. Only compared for equality. */
  readonly startTime: string;
}

/** The start time of a living process. Undefined if it does not exist or is a zombie. */
export function startTimeOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
}

/** Whether this process, not a later one with the same pid, is still running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return startTimeOf(identity.pid) === identity.startTime;
}

/** Sends a signal to the process and its process group, if it is still the same process. */
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
    // The second field is the program's name in parentheses and may contain spaces, so count from its end.
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
