// Brings one service's schema up to date. Safe to run twice, at once, and after dying anywhere: one advisory lock for all,
// and each migration commits together with the row that says it ran.
import pg from 'pg';
import { roleOf } from './database.js';
import { readMigrations, type Migration } from './migration-files.js';

export interface MigrateOptions {
  /** The service, which is also its schema: lower-case letters. */
  service: string;
  /** Folder of the service's migrations. */
  directory: string;
  /** A user that may create roles and schemas in this database. */
  databaseUrl: string;
}

/** Any constant serves; this one is "kiln" in ASCII. */
const LOCK_KEY = 0x6b696c6e;
const LOCK_TIMEOUT_MS = 120_000;

/** From PostgreSQL 16 on, being a member of a role and being allowed to take it on are two things. */
const MAY_SET_ROLE = `select case when current_setting('server_version_num')::int >= 160000
  then pg_has_role(current_user, $1, 'SET') else pg_has_role(current_user, $1, 'MEMBER') end as member`;

/** Applies what is missing. Throws when an applied migration was changed afterwards, or when one fails (it leaves nothing). */
export async function migrateService(options: MigrateOptions): Promise<{ applied: string[] }> {
  const { service, directory, databaseUrl } = options;
  if (!/^[a-z]+$/.test(service)) throw new Error(`not a service name: ${service}`);
  const migrations = readMigrations(directory);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: `kiln-migrate-${service}` });
  await client.connect();
  try {
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await prepareSchema(client, service, migrations);
    return { applied: await applyMissing(client, service, migrations) };
  } finally {
    await client.end();
  }
}

/** Role, schema and extensions: everything that needs more rights than the service itself has. */
async function prepareSchema(client: pg.Client, schema: string, migrations: Migration[]): Promise<void> {
  const role = roleOf(schema);
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rowCount === 0) await client.query(`create role ${role} nologin`);
  const member = await client.query<{ member: boolean }>(MAY_SET_ROLE, [role]);
  if (!member.rows[0]?.member) await client.query(`grant ${role} to current_user`);
  await client.query(`create schema if not exists ${schema} authorization ${role}`);
  for (const extension of new Set(migrations.flatMap((migration) => migration.extensions))) {
    await client.query(`create extension if not exists ${extension} schema public`);
  }
  await client.query(`set search_path = ${schema}, public`);
  await client.query(`set role ${role}`);
  await client.query(`create table if not exists migrations (
    name text primary key, checksum text not null, kind text not null, applied_at timestamptz not null default now())`);
}

async function applyMissing(client: pg.Client, schema: string, migrations: Migration[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations');
  const done = new Map(rows.map((row) => [row.name, row.checksum]));
  const applied: string[] = [];
  for (const migration of migrations) {
    const checksum = done.get(migration.name);
    if (checksum === migration.checksum) continue;
    if (checksum !== undefined) {
      throw new Error(
        `${schema}: ${migration.name} was changed after it ran. Migrations only go forward: add a new one.`,
      );
    }
    await applyOne(client, schema, migration);
    applied.push(migration.name);
  }
  return applied;
}

async function applyOne(client: pg.Client, schema: string, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into migrations (name, checksum, kind) values ($1, $2, $3)', [
      migration.name,
      migration.checksum,
      migration.kind,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`${schema}: ${migration.name} failed`, { cause: error });
  }
}
