/**
 * Runs in a thread of its own inside the child. The main thread may be stuck in native code for minutes and never
 * notice that its parent was killed; this thread does, and takes the process down with it.
 */
import { workerData } from 'node:worker_threads';

const pollMs = 500;
const parentPid = Number(workerData);

setInterval(() => {
  // An orphaned process gets another parent, so the id of its parent changes.
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
}, pollMs);
