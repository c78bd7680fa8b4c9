// Servers of one spec, which can require TLS. NATS can also lose what it has stored.
import { onFreePort, startNats, startPostgres, startRedis, type RunningServer, type ServerOptions } from '@kiln/dev';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { testNamespace } from './namespace.js';
import { ownServerOptions } from './own-servers.js';

export interface ServerTls {
  /** PEM. */
  key: string;
  cert: string;
  /** Who signs the certificates that clients must show. Default: they need none. */
  clientCa?: string;
}

export interface OwnServer {
  /** Without TLS, by the address 127.0.0.1. */
  readonly url: string;
  /** From now on, the server offers TLS. Returns its address, for the host name `localhost`. */
  useTls(tls: ServerTls): Promise<string>;
  stop(): Promise<void>;
}

export interface OwnNats extends OwnServer {
  /** Restarts it without its streams and consumers. */
  loseStorage(): Promise<void>;
}

const options = (name: string) => ownServerOptions(`${name}-${testNamespace()}`);

/** With TLS, it accepts nothing else. */
export async function startOwnNats(): Promise<OwnNats> {
  const place = await options('nats');
  let server = await startNats(place);
  return {
    url: server.url,
    useTls: async (tls) => {
      const { cert, key, ca } = writeCertificates(place, tls);
      const verify = ca === undefined ? '' : `, ca_file: "${ca}", verify: true`;
      appendFileSync(join(place.directory, 'nats.conf'), `tls { cert_file: "${cert}", key_file: "${key}"${verify} }\n`);
      process.kill(server.pid, 'SIGHUP');
      return addressOf(server, 'tls:', server.port);
    },
    loseStorage: async () => {
      const { port } = server;
      await server.stop();
      rmSync(join(place.directory, 'jetstream'), { recursive: true });
      server = await startNats({ ...place, port });
    },
    stop: () => server.stop(),
  };
}

export async function startOwnRedis(): Promise<OwnServer> {
  const place = await options('redis');
  const server = await startRedis(place);
  return {
    url: server.url,
    useTls: async (tls) => {
      const { cert, key, ca } = writeCertificates(place, tls);
      await setInRedis(server, {
        'tls-cert-file': cert,
        'tls-key-file': key,
        'tls-ca-cert-file': ca ?? cert,
        'tls-auth-clients': ca === undefined ? 'no' : 'yes',
      });
      const tlsPort = await onFreePort(undefined, async (port) => {
        await setInRedis(server, { 'tls-port': String(port) });
        return port;
      });
      return addressOf(server, 'rediss:', tlsPort);
    },
    stop: () => server.stop(),
  };
}

export async function startOwnPostgres(): Promise<OwnServer> {
  const server = await startPostgres(await options('postgres'));
  return {
    url: server.url,
    useTls: async ({ key, cert }) => {
      const client = new pg.Client(server.url);
      await client.connect();
      try {
        // The server writes the files, as they must belong to its user.
        for (const [name, pem] of Object.entries({ 'server.key': key, 'server.crt': cert }))
          await client.query(
            `copy (select unnest(string_to_array('${pem.trim()}', E'\\n'))) to program 'umask 077; cat > "$PWD/${name}"'`,
          );
        await client.query('alter system set ssl = on');
        await client.query('select pg_reload_conf()');
      } finally {
        await client.end();
      }
      return addressOf(server, 'postgres:', server.port);
    },
    stop: () => server.stop(),
  };
}

function writeCertificates({ directory }: ServerOptions, { key, cert, clientCa }: ServerTls) {
  const folder = join(directory, 'tls');
  mkdirSync(folder, { recursive: true });
  const write = (name: string, pem: string) => {
    writeFileSync(join(folder, name), pem, { mode: 0o600 });
    return join(folder, name);
  };
  return {
    key: write('server.key', key),
    cert: write('server.crt', cert),
    ca: clientCa === undefined ? undefined : write('clients.crt', clientCa),
  };
}

/** A certificate names the host, not its address. */
function addressOf({ url }: RunningServer, protocol: string, port: number): string {
  const { username, password, pathname } = new URL(url);
  return `${protocol}//${username}:${password}@localhost:${port}${pathname}`;
}

async function setInRedis({ url, port }: RunningServer, settings: Readonly<Record<string, string>>): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' });
  let answers = '';
  socket.on('data', (data) => (answers += data.toString()));
  const commands = Object.entries(settings).map(([name, value]) => `CONFIG SET ${name} ${value}`);
  socket.end(`${[`AUTH ${new URL(url).password}`, ...commands, 'QUIT'].join('\r\n')}\r\n`);
  await once(socket, 'close');
  if (/^-/m.test(answers)) throw new Error(`Redis refused a setting: ${answers}`);
}
