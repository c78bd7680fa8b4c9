// The form of each migration that made a schema: a checksum, written when the migration runs. A database that another form of a
// migration made would look migrated, and its service would fail later and less clearly.
import { createHash } from 'node:crypto';
import { MigrationExecutor, type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { isUndefinedTable } from './database-errors.js';

export const CREATE_CHECKSUMS =
  'create table if not exists migration_checksums (name text primary key, checksum text not null)';
/** A migration outside a transaction may run twice. */
const RECORD = `insert into migration_checksums (name, checksum) values ($1, $2)
  on conflict (name) do update set checksum = excluded.checksum`;

/** Checksums by the names of migrations. */
export type Checksums = ReadonlyMap<string, string>;

const nameOf = (migration: MigrationInterface) => migration.name ?? migration.constructor.name;

/** The checksums of migrations, by their names. */
export async function checksumsOf(migrations: readonly MigrationInterface[]): Promise<Checksums> {
  const entries = migrations.map(async (migration) => [nameOf(migration), await checksumOf(migration)] as const);
  return new Map(await Promise.all(entries));
}

/** A digest of the statements, which are collected without being run. Comments and white space do not count. */
async function checksumOf(migration: MigrationInterface): Promise<string> {
  const hash = createHash('sha256');
  const query = (text: string) => {
    hash.update(`${text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()}\0`);
    return Promise.resolve([]);
  };
  await migration.up({ query } as unknown as QueryRunner);
  return hash.digest('hex').slice(0, 16);
}

export async function recordChecksum(runner: QueryRunner, migration: MigrationInterface, checksums: Checksums) {
  await runner.query(RECORD, [nameOf(migration), checksums.get(nameOf(migration))]);
}

/** Throws if the schema was made by another form of one of these migrations. `runner` has the schema as its search path. */
export async function assertSameForm(
  dataSource: DataSource,
  { schema, checksums, runner }: { schema: string; checksums: Checksums; runner?: QueryRunner },
): Promise<void> {
  const applied = await new MigrationExecutor(dataSource, runner).getExecutedMigrations();
  const recorded = await readRecorded(runner ?? dataSource);
  for (const { name } of applied) {
    const [expected, found = 'none'] = [checksums.get(name), recorded.get(name)];
    // A migration of a newer release has no expected checksum.
    if (expected === undefined || expected === found) continue;
    throw new Error(
      `schema ${schema} was made by another form of the migration ${name} (checksum ${found}; this release has ${expected}). ` +
        `Use the release that made this database, or an empty database.`,
    );
  }
}

/** Empty for a database of a release that recorded none. */
async function readRecorded(on: { query(text: string): Promise<unknown> }): Promise<Checksums> {
  try {
    const rows = (await on.query('select name, checksum from migration_checksums')) as Record<string, string>[];
    return new Map(rows.map(({ name = '', checksum = '' }) => [name, checksum]));
  } catch (error) {
    if (isUndefinedTable(error)) return new Map();
    throw error;
  }
}
