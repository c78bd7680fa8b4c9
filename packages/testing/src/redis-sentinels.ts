// A Redis master with a replica, and three sentinels that watch them, for specs of failovers.
import { ChildProcess, eventually, findServer, freePort } from '@kiln/dev';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { testNamespace } from './namespace.js';
import { ownServerOptions } from './own-servers.js';

export interface RedisSentinels {
  /** The login of the servers. The host leads nowhere. */
  readonly url: string;
  /** The name of the master. */
  readonly name: string;
  /** `<host>:<port>` of each. */
  readonly addresses: readonly string[];
  /** The password of the sentinels, for the default user and for `user`. */
  readonly password: string;
  /** A user of the sentinels with the rights that k8s/README.md names. */
  readonly user: string;
  /** The port of the server that the sentinels call the master. */
  masterPort(): Promise<number>;
  /** Kills a server, or a sentinel, without a warning. */
  kill(port: number): Promise<void>;
  /** Stops a server without closing its connections. */
  freeze(port: number): void;
  /** From now on a sentinel holds a server to be down after this time without an answer. At first no server ever is. */
  setDownAfter(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

const NAME = 'mymaster';
const PASSWORD = 'password-of-the-servers';
const SENTINEL_USER = 'kiln';
const SENTINEL_PASSWORD = 'password-of-the-sentinels';
/** On a busy machine a server that is not down may stand still for seconds. */
const DOWN_AFTER_MS = 600_000;

/** Resolves when the sentinels know each other and the replica, so that they can agree on a failover. */
export async function startRedisSentinels(): Promise<RedisSentinels> {
  const running = new Map<number, ChildProcess>();
  const start = async (settings: string, ...words: string[]) => {
    const port = await freePort();
    running.set(port, await startProcess(port, settings, words));
    return port;
  };
  const server = `requirepass ${PASSWORD}\nmasterauth ${PASSWORD}\nsave ""\nappendonly no\nrepl-diskless-sync-delay 0\n`;
  const master = await start(server);
  const replica = await start(`${server}replicaof 127.0.0.1 ${master}\n`);
  const linked = /master_link_status:up/;
  await eventually(async () => linked.test(await ask(replica, PASSWORD, 'INFO replication')) || Promise.reject());
  const watch = [
    `requirepass ${SENTINEL_PASSWORD}`,
    `user ${SENTINEL_USER} on >${SENTINEL_PASSWORD} -@all +@connection +sentinel|get-master-addr-by-name`,
    `sentinel monitor ${NAME} 127.0.0.1 ${master} 2`,
    `sentinel auth-pass ${NAME} ${PASSWORD}`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${NAME} 10000`,
    '',
  ].join('\n');
  const sentinels = [
    await start(watch, '--sentinel'),
    await start(watch, '--sentinel'),
    await start(watch, '--sentinel'),
  ];
  for (const port of sentinels) {
    const known = /num-slaves\r\n\$1\r\n1\r\n[^]*num-other-sentinels\r\n\$1\r\n2\r\n/;
    await eventually(
      async () => known.test(await ask(port, SENTINEL_PASSWORD, `SENTINEL MASTER ${NAME}`)) || Promise.reject(),
    );
  }
  return {
    url: `redis://:${PASSWORD}@redis.invalid:1`,
    name: NAME,
    addresses: sentinels.map((port) => `127.0.0.1:${port}`),
    password: SENTINEL_PASSWORD,
    user: SENTINEL_USER,
    masterPort: async () => {
      const port = sentinels.findLast((one) => running.has(one)) ?? 0;
      const answer = await ask(port, SENTINEL_PASSWORD, `SENTINEL GET-MASTER-ADDR-BY-NAME ${NAME}`);
      return Number(/127\.0\.0\.1\r\n\$\d+\r\n(\d+)/.exec(answer)?.[1]);
    },
    kill: async (port) => {
      const child = running.get(port);
      running.delete(port);
      child?.kill();
      await child?.exited;
    },
    setDownAfter: async (milliseconds) => {
      const change = `SENTINEL SET ${NAME} down-after-milliseconds ${milliseconds}`;
      for (const port of sentinels.filter((one) => running.has(one))) {
        const answer = await ask(port, SENTINEL_PASSWORD, change);
        if (answer !== '+OK\r\n+OK\r\n') throw new Error(`a sentinel answers ${answer}`);
      }
    },
    freeze: (port) => void process.kill(running.get(port)?.identity.pid ?? 0, 'SIGSTOP'),
    stop: async () => {
      for (const child of running.values()) child.kill();
      await Promise.all([...running.values()].map(({ exited }) => exited));
    },
  };
}

async function startProcess(port: number, settings: string, words: readonly string[]): Promise<ChildProcess> {
  const options = await ownServerOptions(`redis-${testNamespace()}-${port}`);
  const program = await findServer('redis-server', options);
  mkdirSync(options.directory, { recursive: true });
  const file = join(options.directory, 'redis.conf');
  // A sentinel writes its state into this file.
  writeFileSync(file, `bind 127.0.0.1\nport ${port}\ndir ${JSON.stringify(options.directory)}\n${settings}`);
  chmodSync(file, 0o600);
  return ChildProcess.start({
    name: 'redis',
    command: program.path,
    arguments: [file, ...words],
    environment: program.environment,
    workingDirectory: options.directory,
    logPath: join(options.directory, 'redis.log'),
    registry: options.registry,
    background: true,
  });
}

/** The answer to one command, as it was sent. */
function ask(port: number, password: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1' });
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.on('error', reject).on('close', () => resolve(answer));
    // Sentinels do not know QUIT. The servers answer before they notice the end.
    socket.end(`AUTH ${password}\r\n${command}\r\n`);
  });
}
