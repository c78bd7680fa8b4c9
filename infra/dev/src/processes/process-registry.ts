/**
 * The processes that this launcher started, stored in `pids.json`, so that the next start can stop those that a `kill -9` of the
 * launcher left running. Only processes with matching pid and start time are signalled.
 */
import { readFileSync } from 'node:fs';
import { replaceFile } from './replace-file.js';
import type { ProcessIdentity } from './process-identity.js';
import { isRunning, signalProcess } from './process-identity.js';
import { waitUntil } from './wait-until.js';

interface RegisteredProcess extends ProcessIdentity {
  readonly name: string;
}

export class ProcessRegistry {
  private processes: RegisteredProcess[] = [];

  constructor(private readonly path: string) {}

  add(name: string, identity: ProcessIdentity): void {
    this.processes.push({ name, ...identity });
    this.write();
  }

  remove(identity: ProcessIdentity): void {
    this.processes = this.processes.filter(({ pid }) => pid !== identity.pid);
    this.write();
  }

  /** Sends SIGKILL to everything that still runs, on a second Ctrl-C. */
  killAll(): void {
    for (const process of this.processes) signalProcess(process, 'SIGKILL', 'group');
  }

  /**
   * Stops processes of an earlier launcher: SIGTERM, then SIGKILL after the deadline. Returns their names. Postgres gets SIGINT,
   * its fast shutdown.
   */
  async clearLeftovers(deadlineMilliseconds = 5_000): Promise<string[]> {
    const leftovers = readRegistered(this.path).filter(isRunning);
    for (const process of leftovers) {
      signalProcess(process, process.name === 'postgres' ? 'SIGINT' : 'SIGTERM', 'process');
    }
    const gone = () => leftovers.every((process) => !isRunning(process));
    if (!(await waitUntil(gone, { deadlineMilliseconds }))) {
      for (const process of leftovers) signalProcess(process, 'SIGKILL', 'group');
      await waitUntil(gone, { deadlineMilliseconds });
    }
    return leftovers.map(({ name }) => name);
  }

  private write(): void {
    replaceFile(this.path, `${JSON.stringify(this.processes, undefined, 2)}\n`);
  }
}

function readRegistered(path: string): RegisteredProcess[] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(parsed) ? parsed.filter(isRegisteredProcess) : [];
  } catch {
    return [];
  }
}

function isRegisteredProcess(value: unknown): value is RegisteredProcess {
  const candidate = value as Partial<RegisteredProcess> | null;
  return (
    typeof candidate === 'object' &&
    candidate !== null &&
    Number.isSafeInteger(candidate.pid) &&
    Number(candidate.pid) > 1 &&
    typeof candidate.startTime === 'string' &&
    candidate.startTime !== '' &&
    typeof candidate.name === 'string'
  );
}
