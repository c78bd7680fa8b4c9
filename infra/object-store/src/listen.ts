// Binds a server. Chooses a port when none is configured.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSystemError } from './s3-errors.js';

/** Below 32768: operating systems assign higher ports to outgoing connections. */
const PORT_MIN = 20_000;
const PORT_MAX = 32_767;
const ATTEMPTS_MAX = 50;

export async function listen(server: Server, host: string, port: number | undefined): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      server.listen(port ?? randomInt(PORT_MIN, PORT_MAX), host);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (port !== undefined || attempt >= ATTEMPTS_MAX || !isSystemError(error, 'EADDRINUSE')) throw error;
    }
  }
}
