/**
 * Runs in a separate thread of the child, and kills the process when its parent is gone. The main thread can be busy in native
 * code for minutes, and would not notice.
 */
import { workerData } from 'node:worker_threads';

const pollMs = 500;
const parentPid = Number(workerData);

setInterval(() => {
  // An orphaned process gets another parent, so the id of its parent changes.
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
}, pollMs);
