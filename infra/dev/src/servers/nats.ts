/** A NATS server with a JetStream file store: on loopback, one user with a generated password. */
import { join } from 'node:path';
import { ChildProcess } from '../processes/child-process.js';
import { replaceFile } from '../processes/replace-file.js';
import { socketExchange } from '../processes/socket-exchange.js';
import { findServer } from './find-server.js';
import type { RunningServer, ServerOptions } from './server.js';
import { keptSecret, makeDirectory, onFreePort, untilServing } from './server.js';

const USER = 'kiln';

/** Starts the server and waits until it accepts the credentials and JetStream is ready. */
export async function startNats(options: ServerOptions): Promise<RunningServer> {
  const program = await findServer('nats-server', options);
  makeDirectory(options.directory);
  const password = keptSecret(options.directory, 'password');
  return onFreePort(options.port, async (port) => {
    const configPath = join(options.directory, 'nats.conf');
    replaceFile(configPath, configuration(port, password, join(options.directory, 'jetstream')));
    const child = await ChildProcess.start({
      name: 'nats',
      command: program.path,
      arguments: ['--config', configPath],
      environment: program.environment,
      workingDirectory: options.directory,
      logPath: options.logPath ?? join(options.directory, 'nats.log'),
      registry: options.registry,
      background: options.background,
    });
    await untilServing(child, () => isServing(port, password));
    return {
      url: `nats://${USER}:${password}@127.0.0.1:${port}`,
      port,
      pid: child.pid,
      exited: child.exited,
      stop: async () => void (await child.stop()),
      kill: () => child.kill(),
    };
  });
}

function configuration(port: number, password: string, storeDirectory: string): string {
  return `# Written by the launcher at every start.
server_name: kiln
listen: "127.0.0.1:${port}"
max_payload: 1MB
jetstream { store_dir: ${JSON.stringify(storeDirectory)}, max_memory_store: 64MB }
authorization { user: ${USER}, password: "${password}" }
`;
}

/** The NATS client protocol: the server sends INFO, accepts CONNECT, and answers PING with PONG or -ERR. */
async function isServing(port: number, password: string): Promise<boolean> {
  const hello = JSON.stringify({
    user: USER,
    pass: password,
    verbose: false,
    pedantic: false,
    lang: 'kiln',
    version: '1',
  });
  const answer = await socketExchange(port, `CONNECT ${hello}\r\nPING\r\n`, (text) => /PONG|-ERR/.test(text));
  return answer !== undefined && answer.includes('PONG') && answer.includes('"jetstream":true');
}
