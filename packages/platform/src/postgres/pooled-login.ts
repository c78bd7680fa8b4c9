// The login role of a service behind a pooler in transaction mode. The pooler shares connections of the server between clients and passes no
// startup options, so the settings of a session are defaults of its role. The migrate command stores them.
// https://www.pgbouncer.org/features.html
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { roleOf, sessionSettings, type SessionOptions } from './data-source.js';
import { statement } from './statement.js';
import type { Queryable } from './transaction.js';

/** Gives the role the settings of the service's sessions, in this database. The user of `runner` must be allowed to change the role. */
export async function prepareLogin(runner: QueryRunner, login: string, options: SessionOptions): Promise<void> {
  const name = pg.escapeIdentifier(login);
  const [row] = (await runner.query('select current_database() as database')) as { database: string }[];
  const role = `alter role ${name} in database ${pg.escapeIdentifier(row?.database ?? '')}`;
  await runner.query(`grant ${roleOf(options.schema)} to ${name}`);
  await runner.query(`${role} reset all`);
  for (const [setting, value] of Object.entries(sessionSettings(options))) {
    // A quoted list would be one schema.
    await runner.query(`${role} set ${setting} = ${setting === 'search_path' ? value : pg.escapeLiteral(value)}`);
  }
}

/** `role` is no setting that `pg_settings` shows. $1 names. */
const readSettings = statement(
  'platform.read_session_settings',
  `select 'role' as name, current_user::text as value union all select name, setting from pg_settings where name = any($1)`,
);

/** Throws unless the session has the settings of the service. Another limit on the time of a statement does no harm. */
export async function assertLogin(database: Queryable, options: SessionOptions): Promise<void> {
  const { statement_timeout: _limit, ...settings } = sessionSettings(options);
  const wanted = Object.entries(settings);
  const rows = await database.query<{ name: string; value: string }>(readSettings, [wanted.map(([name]) => name)]);
  const found = new Map(rows.map(({ name, value }) => [name, value.replaceAll(' ', '')]));
  const different = wanted.filter(([name, value]) => found.get(name) !== value).map(([name]) => name);
  if (different.length === 0) return;
  throw new Error(
    `The login role of the schema ${options.schema} has other defaults than its sessions need: ${different.join(', ')}. ` +
      'Run the migrate command with KILN_DATABASE_LOGIN, then let the pooler open new connections (RECONNECT in PgBouncer).',
  );
}
