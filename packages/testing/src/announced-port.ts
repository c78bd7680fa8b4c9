import type { ChildProcess } from 'node:child_process';

/**
 * The port that a process of Kiln, started with port 0 and an IPC channel, has chosen for `listener`. Ask before it can have started.
 * Rejects if the process ends first.
 */
export function announcedPort(child: ChildProcess, listener: 'health' | 'gateway' | 'extractor'): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { listener: string; port: number }) => {
      if (message.listener === listener) resolve(message.port);
    });
    child.once('close', () => reject(new Error(`The process ended before it listened (${listener}).`)));
  });
}
