/** PgBouncer in transaction mode, for tests. It passes no startup option on, and refuses clients that send one. */
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildProcess } from '../processes/child-process.js';
import { replaceFile } from '../processes/replace-file.js';
import { socketExchange } from '../processes/socket-exchange.js';
import { findServer } from './find-server.js';
import { makeDirectory, onFreePort, untilServing, type RunningServer, type ServerOptions } from './server.js';
import { unprivilegedAccount } from './unprivileged-account.js';

export interface PgBouncerOptions extends ServerOptions {
  /** The database behind it, with the role and the password by which clients log in. */
  readonly databaseUrl: string;
  /** Connections to the server. */
  readonly poolSize: number;
}

/** Starts the pooler. Its URL is `databaseUrl` with another port. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<RunningServer> {
  const program = await findServer('pgbouncer', options);
  makeDirectory(options.directory);
  // It refuses to run as root, and its account cannot read the folders of root.
  const account = unprivilegedAccount();
  const home = mkdtempSync(join(tmpdir(), 'kiln-pgbouncer-'));
  const own = (path: string) => account && chownSync(path, account.uid, account.gid);
  const database = new URL(options.databaseUrl);
  return onFreePort(options.port, async (port) => {
    const usersPath = join(home, 'users.txt');
    const configPath = join(home, 'pgbouncer.ini');
    replaceFile(usersPath, `"${decodeURIComponent(database.username)}" "${decodeURIComponent(database.password)}"\n`);
    replaceFile(configPath, configuration(port, usersPath, options));
    for (const path of [home, usersPath, configPath]) own(path);
    const child = await ChildProcess.start({
      name: 'pgbouncer',
      command: program.path,
      arguments: [configPath],
      environment: program.environment,
      workingDirectory: '/',
      logPath: options.logPath ?? join(options.directory, 'pgbouncer.log'),
      user: account,
      registry: options.registry,
      background: options.background,
    });
    await untilServing(child, () => isListening(port));
    const url = new URL(database);
    url.port = String(port);
    return {
      url: url.href,
      port,
      pid: child.pid,
      exited: child.exited,
      stop: async () => {
        await child.stop('SIGINT');
        rmSync(home, { recursive: true });
      },
      kill: () => child.kill(),
    };
  });
}

function configuration(port: number, usersPath: string, { databaseUrl, poolSize }: PgBouncerOptions): string {
  const { hostname, port: databasePort, username } = new URL(databaseUrl);
  return `[databases]
* = host=${hostname} port=${databasePort || 5432}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${usersPath}
admin_users = ${decodeURIComponent(username)}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
`;
}

/** A request for TLS is answered with one letter. */
async function isListening(port: number): Promise<boolean> {
  const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
  const answer = await socketExchange(port, request, (text) => text.length > 0);
  return answer !== undefined && answer.length > 0;
}
