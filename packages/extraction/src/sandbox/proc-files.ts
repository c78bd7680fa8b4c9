/** What Linux says of running processes, in /proc. Reading it does not wait for a disk. A process that has ended has nothing there. */
import { readdirSync, readFileSync } from 'node:fs';

/** `/proc/<pid>/status`, or nothing. */
export function statusOf(pid: number): string {
  return readOrEmpty(`/proc/${pid}/status`);
}

/** The children of a process, and theirs. */
export function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

/** Each thread has children of its own. */
function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  return namesIn(tasks).flatMap((id) => readOrEmpty(`${tasks}/${id}/children`).split(' ').filter(Boolean).map(Number));
}

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
