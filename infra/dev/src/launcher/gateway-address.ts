/** The address of the gateway: its port, and its URL for processes on this machine. */
import { LauncherError } from '../errors.js';
import { freePort, isPortFree } from '../processes/free-port.js';
import type { LauncherConfig } from './config.js';

export async function gatewayPort({ host, port }: LauncherConfig): Promise<number> {
  if (port === 0) return freePort(host);
  if (await isPortFree(port, host)) return port;
  throw new LauncherError(
    'port_in_use',
    `Cannot listen on ${host}:${port}; it is probably in use. Choose another port: KILN_PORT=8081 npm start`,
  );
}

/** The address by which a process on this machine reaches a listener on `host`. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
