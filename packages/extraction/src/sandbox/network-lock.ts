/**
 * Disables the network, and starting programs, for the JavaScript of this process. If the system permits, the process also
 * runs in a network namespace without interfaces. Only the namespace stops native code.
 */
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

function refuse(): never {
  throw Object.assign(new Error('The extraction sandbox has no network and starts no programs.'), { code: 'EPERM' });
}

export function lockNetwork(): void {
  // All TCP, TLS, HTTP and HTTP/2 clients use one of these two.
  replace(net.Socket.prototype, ['connect']);
  replace(net.Server.prototype, ['listen']);
  replace(dgram, ['createSocket', 'Socket']);
  replace(dns, functionsOf(dns));
  replace(dns.promises, functionsOf(dns.promises));
  replace(childProcess, functionsOf(childProcess));
  replace(
    globalThis,
    ['fetch', 'WebSocket', 'EventSource'].filter((name) => name in globalThis),
  );
  syncBuiltinESMExports();
}

function functionsOf(module: object): string[] {
  return Object.entries(module).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
}

function replace(target: object, names: readonly string[]): void {
  for (const name of names)
    Object.defineProperty(target, name, { value: refuse, writable: false, configurable: false, enumerable: true });
}
