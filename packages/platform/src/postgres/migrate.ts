// Migrates the schema of one service. Safe to run twice, concurrently, and after a crash: an advisory lock serializes the runs of one
// schema, and each migration commits together with the rows that record it.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { platformMigrations } from '../migrations/index.js';
import { roleOf, type SessionOptions } from './data-source.js';
import { isLocked } from './database-errors.js';
import {
  assertSameForm,
  checksumsOf,
  CREATE_CHECKSUMS,
  recordChecksum,
  type Checksums,
} from './migration-checksums.js';
import type { MigrationClass } from './migration.js';
import { prepareLogin } from './pooled-login.js';

export interface MigrateOptions {
  /** The service. Its schema has the same name: lower-case letters. */
  service: string;
  migrations: readonly MigrationClass[];
  /** A user that may create roles and schemas in this database. */
  databaseUrl: string;
  /** The role by which the service logs in behind a pooler. It gets the settings of the service's sessions: see `pooled-login.ts`. */
  login?: { role: string; session: Omit<SessionOptions, 'schema'> };
  /** Called when another session holds a lock that a migration needs. The migration is tried again. */
  onLocked?: () => void;
  /** The pause before that. Default 10,000. */
  lockPauseMs?: number;
}

/** An arbitrary constant: "kiln" in ASCII. */
const LOCK_KEY = 0x6b696c6e;
/** Statements of the services queue behind one that waits for a lock, so it waits briefly and is tried again. */
const LOCK_TIMEOUT_MS = 3_000;
const LOCK_PAUSE_MS = 10_000;
/** How long a migration is tried while others hold locks, such as a backup. */
const LOCKED_MAX_MS = 600_000;
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
    // The default logger reports attempts that will be repeated as failures.
    logger: 'debug',
    applicationName: `kiln-migrate-${service}`,
    poolSize: 1,
  });
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    await runner.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await takeLock(runner, service);
    await untilUnlocked(options, () => prepareSchema(runner, service, migrations));
    const checksums = await checksumsOf(dataSource.migrations);
    await assertSameForm(dataSource, { schema: service, checksums, runner });
    for (const migration of dataSource.migrations) Object.assign(migration, { up: recordedUp(migration, checksums) });
    const applied = await applyMissing(dataSource, runner, options);
    if (options.login) {
      await runner.query('reset role');
      await prepareLogin(runner, options.login.role, { schema: service, ...options.login.session });
    }
    return { applied };
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Takes the advisory lock for the session. It polls instead of waiting in a statement: `create index concurrently` would wait for
 * that statement, and deadlock.
 */
async function takeLock(runner: QueryRunner, schema: string): Promise<void> {
  const take = 'select pg_try_advisory_lock($1, hashtext($2)) as taken';
  const deadline = performance.now() + LOCKED_MAX_MS;
  for (;;) {
    const [row] = (await runner.query(take, [LOCK_KEY, schema])) as { taken: boolean }[];
    if (row?.taken) return;
    if (performance.now() > deadline) {
      throw new Error(`another migration of the schema ${schema} has been running for ten minutes`);
    }
    await delay(LOCK_POLL_MS);
  }
}

/** Repeats `work` while another session holds a lock that it needs. In the pauses, statements that wait for the same lock proceed. */
async function untilUnlocked<Result>(
  { onLocked, lockPauseMs = LOCK_PAUSE_MS }: MigrateOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + LOCKED_MAX_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
      onLocked?.();
      await delay(lockPauseMs);
    }
  }
}

function recordedUp(migration: MigrationInterface, checksums: Checksums) {
  const up = migration.up.bind(migration);
  return async (runner: QueryRunner): Promise<void> => {
    // An index that is built concurrently waits for every transaction, and nothing waits for it.
    if (migration.transaction === false) await runner.query('set lock_timeout = 0');
    await up(runner);
    if (migration.transaction === false) await runner.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await recordChecksum(runner, migration, checksums);
  };
}

/** Roles and extensions belong to no schema, so a migration of another schema may create the same one at that moment. */
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
    await runner.query(unlessDuplicate(`create extension if not exists ${extension} schema public`));
  }
  for (const extension of new Set(migrations.flatMap((migration) => migration.optionalExtensions ?? []))) {
    await runner.query(ifAvailable(extension));
  }
  await runner.query(`set search_path = ${schema}, public`);
  await runner.query(`set role ${role}`);
  await runner.query(CREATE_CHECKSUMS);
}

async function applyMissing(dataSource: DataSource, runner: QueryRunner, options: MigrateOptions): Promise<string[]> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'each';
  try {
    const pending = await executor.getPendingMigrations();
    await untilUnlocked(options, () => executor.executePendingMigrations());
    return pending.map(({ name }) => name);
  } catch (error) {
    const [failed] = await executor.getPendingMigrations().catch(() => []);
    throw new Error(`${options.service}: ${failed?.name ?? 'a migration'} failed`, { cause: error });
  }
}
