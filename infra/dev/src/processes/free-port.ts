/**
 * Chooses ports for internal listeners, below 32768. The system uses higher numbers for outgoing connections, which could take the
 * port of a restarted server.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { LauncherError } from '../errors.js';

const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_000;
const picked = new Set<number>();

/** A free port, never the same twice in one process. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (picked.has(port) || !(await isPortFree(port, host))) continue;
    picked.add(port);
    return port;
  }
  throw new LauncherError('port_in_use', `No free port found between ${LOWEST_PORT} and ${HIGHEST_PORT}.`);
}

export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
