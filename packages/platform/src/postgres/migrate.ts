// Migrates the schema of one service. Safe to run twice, concurrently, and after a crash: one advisory lock serializes all runs,
// and each migration commits together with the row that records it.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { platformMigrations } from '../migrations/index.js';
import { roleOf } from './data-source.js';
import type { MigrationClass } from './migration.js';

export interface MigrateOptions {
  /** The service. Its schema has the same name: lower-case letters. */
  service: string;
  migrations: readonly MigrationClass[];
  /** A user that may create roles and schemas in this database. */
  databaseUrl: string;
}

/** An arbitrary constant: "kiln" in ASCII. */
const LOCK_KEY = 0x6b696c6e;
const LOCK_TIMEOUT_MS = 120_000;
const LOCK_POLL_MS = 100;

/** Since PostgreSQL 16, membership in a role does not include the right to SET ROLE. */
const MAY_SET_ROLE = `select case when current_setting('server_version_num')::int >= 160000
  then pg_has_role(current_user, $1, 'SET') else pg_has_role(current_user, $1, 'MEMBER') end as member`;

/**
 * Applies the pending migrations, the platform's first. A migration that fails leaves no changes, unless it runs outside a
 * transaction.
 */
export async function migrateService(options: MigrateOptions): Promise<{ applied: string[] }> {
  const { service, databaseUrl } = options;
  if (!/^[a-z]+$/.test(service)) throw new Error(`not a service name: ${service}`);
  const migrations = [...platformMigrations, ...options.migrations];
  const dataSource = new DataSource({
    type: 'postgres',
    driver: pg,
    url: databaseUrl,
    schema: service,
    migrations,
    installExtensions: false,
    logging: false,
    applicationName: `kiln-migrate-${service}`,
    poolSize: 1,
  });
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    await runner.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await takeLock(runner);
    await prepareSchema(runner, service, migrations);
    return { applied: await applyMissing(dataSource, runner, service) };
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Takes the advisory lock for the session. It polls instead of waiting in a statement: `create index concurrently` would wait for
 * that statement, and deadlock.
 */
async function takeLock(runner: QueryRunner): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const [row] = (await runner.query('select pg_try_advisory_lock($1) as taken', [LOCK_KEY])) as { taken: boolean }[];
    if (row?.taken) return;
    if (performance.now() > deadline) throw new Error('another migration has been running for two minutes');
    await delay(LOCK_POLL_MS);
  }
}

/** Roles belong to the cluster and the advisory lock to one database, so a migration of another database may run this too. */
const unlessDuplicate = (statement: string) =>
  `do $$ begin ${statement}; exception when duplicate_object or unique_violation then null; end $$`;

/** An extension that the server lacks, or that this user may not create, is left out. */
const ifAvailable = (extension: string) =>
  `do $$ begin
     if exists (select 1 from pg_available_extensions where name = '${extension}') then
       create extension if not exists ${extension} schema public;
     end if;
   exception when insufficient_privilege or duplicate_object or unique_violation then null; end $$`;

/** Creates the role, the schema and the extensions, which need more privileges than the service has. */
async function prepareSchema(runner: QueryRunner, schema: string, migrations: MigrationClass[]): Promise<void> {
  const role = roleOf(schema);
  const roles = (await runner.query('select 1 from pg_roles where rolname = $1', [role])) as unknown[];
  if (roles.length === 0) await runner.query(unlessDuplicate(`create role ${role} nologin`));
  const [may] = (await runner.query(MAY_SET_ROLE, [role])) as { member: boolean }[];
  if (!may?.member) await runner.query(unlessDuplicate(`grant ${role} to current_user`));
  await runner.query(`create schema if not exists ${schema} authorization ${role}`);
  for (const extension of new Set(migrations.flatMap((migration) => migration.extensions ?? []))) {
    await runner.query(`create extension if not exists ${extension} schema public`);
  }
  for (const extension of new Set(migrations.flatMap((migration) => migration.optionalExtensions ?? []))) {
    await runner.query(ifAvailable(extension));
  }
  await runner.query(`set search_path = ${schema}, public`);
  await runner.query(`set role ${role}`);
}

async function applyMissing(dataSource: DataSource, runner: QueryRunner, service: string): Promise<string[]> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'each';
  try {
    return (await executor.executePendingMigrations()).map(({ name }) => name);
  } catch (error) {
    const [failed] = await executor.getPendingMigrations().catch(() => []);
    throw new Error(`${service}: ${failed?.name ?? 'a migration'} failed`, { cause: error });
  }
}
