/** A NATS server with a JetStream file store, on loopback, with generated passwords: one user, or the users of `nats-users.conf`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LauncherError } from '../errors.js';
import { ChildProcess } from '../processes/child-process.js';
import { replaceFile } from '../processes/replace-file.js';
import { repositoryDirectory } from '../repository.js';
import { socketExchange } from '../processes/socket-exchange.js';
import { findServer } from './find-server.js';
import type { RunningServer, ServerOptions } from './server.js';
import { keptSecret, makeDirectory, onFreePort, untilServing } from './server.js';

/** Its `url` is that of the operator, who may do everything. */
export interface RunningNats extends RunningServer {
  /** The URL with the login of a service. Throws `login_missing`. */
  urlOf(service: string): string;
}

interface Login {
  readonly user: string;
  readonly password: string;
}

/** One user, who may do everything. */
export async function startNats(options: ServerOptions): Promise<RunningServer> {
  const login = { user: 'kiln', password: keptSecret(directoryOf(options), 'password') };
  return start(options, login, `authorization { user: kiln, password: "${login.password}" }\n`, {});
}

/** A user for each service, with its permissions, and the operator. */
export async function startNatsForServices(options: ServerOptions): Promise<RunningNats> {
  const users = readFileSync(join(repositoryDirectory, 'infra/docker/nats-users.conf'), 'utf8');
  const logins = [...users.matchAll(/\buser: (\w+)/g)].map(([, user = '']) => ({
    user,
    password: keptSecret(directoryOf(options), `password-${user}`),
  }));
  const environment = logins.map(({ user, password }) => [`KILN_NATS_PASSWORD_${user.toUpperCase()}`, `"${password}"`]);
  const loginOf = (name: string): Login => {
    const login = logins.find(({ user }) => user === name);
    if (login) return login;
    throw new LauncherError(
      'login_missing',
      `infra/docker/nats-users.conf has no user ${name}. Run: npm run bus:users`,
    );
  };
  const server = await start(options, loginOf('operator'), users, Object.fromEntries(environment));
  return { ...server, urlOf: (service) => urlOf(loginOf(service), server.port) };
}

const urlOf = ({ user, password }: Login, port: number) => `nats://${user}:${password}@127.0.0.1:${port}`;

function directoryOf({ directory }: ServerOptions): string {
  makeDirectory(directory);
  return directory;
}

/** Starts the server and waits until it accepts the credentials and JetStream is ready. */
async function start(
  options: ServerOptions,
  login: Login,
  users: string,
  passwords: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const program = await findServer('nats-server', options);
  return onFreePort(options.port, async (port) => {
    const configPath = join(options.directory, 'nats.conf');
    replaceFile(configPath, configuration(port, join(options.directory, 'jetstream')) + users);
    const child = await ChildProcess.start({
      name: 'nats',
      command: program.path,
      arguments: ['--config', configPath],
      environment: { ...program.environment, ...passwords },
      workingDirectory: options.directory,
      logPath: options.logPath ?? join(options.directory, 'nats.log'),
      registry: options.registry,
      background: options.background,
    });
    await untilServing(child, () => isServing(port, login));
    return {
      url: urlOf(login, port),
      port,
      pid: child.pid,
      exited: child.exited,
      stop: async () => void (await child.stop()),
      kill: () => child.kill(),
    };
  });
}

function configuration(port: number, storeDirectory: string): string {
  return `# Written by the launcher at every start.
server_name: kiln
listen: "127.0.0.1:${port}"
max_payload: 1MB
jetstream { store_dir: ${JSON.stringify(storeDirectory)}, max_memory_store: 64MB }
`;
}

/** The NATS client protocol: the server sends INFO, accepts CONNECT, and answers PING with PONG or -ERR. */
async function isServing(port: number, { user, password }: Login): Promise<boolean> {
  const hello = JSON.stringify({
    user,
    pass: password,
    verbose: false,
    pedantic: false,
    lang: 'kiln',
    version: '1',
  });
  const answer = await socketExchange(port, `CONNECT ${hello}\r\nPING\r\n`, (text) => /PONG|-ERR/.test(text));
  return answer !== undefined && answer.includes('PONG') && answer.includes('"jetstream":true');
}
