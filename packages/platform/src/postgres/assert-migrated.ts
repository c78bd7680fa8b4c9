// A service on an older schema, or on one that another form of a migration made, would fail later and less clearly, so it refuses to
// start.
import { MigrationExecutor } from 'typeorm';
import type { Database } from './database.js';
import { assertSameForm, checksumsOf } from './migration-checksums.js';

/**
 * Throws, and names the migrations, unless all migrations of this release have run in the form that this release has. Newer migrations
 * in the database are accepted.
 */
export async function assertMigrated({ schema, dataSource }: Database): Promise<void> {
  await assertSameForm(dataSource, { schema, checksums: await checksumsOf(dataSource.migrations) });
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  if (pending.length === 0) return;
  const names = pending.map((migration) => migration.name).join(', ');
  throw new Error(`schema ${schema} has pending migrations: ${names}. Run the migrate command first.`);
}
