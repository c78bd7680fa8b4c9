/** A Redis server for data that may be lost (rate limits, caches): on loopback, with a password, without persistence. */
import { join } from 'node:path';
import { ChildProcess } from '../processes/child-process.js';
import { replaceFile } from '../processes/replace-file.js';
import { socketExchange } from '../processes/socket-exchange.js';
import { findServer } from './find-server.js';
import type { RunningServer, ServerOptions } from './server.js';
import { keptSecret, makeDirectory, onFreePort, untilServing } from './server.js';

/** Starts the server and waits until it answers an authenticated PING. */
export async function startRedis(options: ServerOptions): Promise<RunningServer> {
  const program = await findServer('redis-server', options);
  makeDirectory(options.directory);
  const password = keptSecret(options.directory, 'password');
  return onFreePort(options.port, async (port) => {
    const configPath = join(options.directory, 'redis.conf');
    replaceFile(configPath, configuration(port, password, options.directory));
    const child = await ChildProcess.start({
      name: 'redis',
      command: program.path,
      arguments: [configPath],
      environment: program.environment,
      workingDirectory: options.directory,
      logPath: options.logPath ?? join(options.directory, 'redis.log'),
      registry: options.registry,
      background: options.background,
    });
    await untilServing(child, () => isServing(port, password));
    return {
      url: `redis://:${password}@127.0.0.1:${port}`,
      port,
      pid: child.pid,
      exited: child.exited,
      stop: async () => void (await child.stop()),
      kill: () => child.kill(),
    };
  });
}

function configuration(port: number, password: string, directory: string): string {
  return `# Written by the launcher at every start.
bind 127.0.0.1
port ${port}
requirepass ${password}
dir ${JSON.stringify(directory)}
save ""
appendonly no
maxmemory 64mb
maxmemory-policy volatile-lru
daemonize no
`;
}

async function isServing(port: number, password: string): Promise<boolean> {
  const answer = await socketExchange(port, `AUTH ${password}\r\nPING\r\n`, (text) => /\+PONG|-\w+/.test(text));
  return answer?.includes('+PONG') ?? false;
}
