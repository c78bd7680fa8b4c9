// A Postgres server and its standby. A commit waits until the standby has it, so a failover loses nothing.
import { eventually, startPostgres, type RunningServer } from '@kiln/dev';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ownServerOptions } from './own-servers.js';

export interface PostgresPair {
  /** Connects as a superuser to the primary. */
  readonly url: string;
  /**
   * Kills the primary and promotes the standby. The killed server starts again as a standby: it answers reads and refuses writes.
   * Returns both addresses.
   */
  failOver(): Promise<{ promoted: string; demoted: string }>;
  stop(): Promise<void>;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const first = await ownServerOptions('postgres-pair');
  await (await startPostgres(first)).stop();
  // A copy of the data of a stopped server is a standby, once it is started as one.
  const home = homeOf(first.directory);
  const copy = join(home, 'standby');
  mkdirSync(copy);
  for (const name of ['cluster', 'password']) execFileSync('cp', ['-a', join(home, name), copy]);
  const second = { ...first, directory: copy };
  configure(home, `synchronous_standby_names = '*'`);
  let primary = await startPostgres(first);
  follow(copy, primary);
  let standby = await startPostgres(second);
  await run(primary.url, `select 1 / count(*) from pg_stat_replication where sync_state = 'sync'`);

  async function failOver() {
    primary.kill();
    await primary.exited;
    await run(standby.url, 'select 1 / pg_promote()::int');
    writeFileSync(join(home, 'cluster/standby.signal'), '');
    [primary, standby] = [standby, await startPostgres(first)];
    return { promoted: primary.url, demoted: standby.url };
  }
  const stop = async () => void (await Promise.all([primary.stop(), standby.stop()]));
  return { url: primary.url, failOver, stop };
}

/** As root, the data is elsewhere, in a folder of the account of Postgres. */
function homeOf(directory: string): string {
  const location = join(directory, 'location');
  return existsSync(location) ? readFileSync(location, 'utf8').trim() : directory;
}

const configure = (home: string, line: string) =>
  appendFileSync(join(home, 'cluster/postgresql.auto.conf'), `${line}\n`);

function follow(home: string, { url }: RunningServer): void {
  const { hostname, port, username, password } = new URL(url);
  configure(home, `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'`);
  writeFileSync(join(home, 'cluster/standby.signal'), '');
}

/** Repeats the statement until it succeeds. */
function run(url: string, statement: string): Promise<void> {
  return eventually(
    async () => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined); // A lost connection fails the statement.
      try {
        await client.connect();
        await client.query(statement);
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    { timeoutMs: 120_000 },
  );
}
