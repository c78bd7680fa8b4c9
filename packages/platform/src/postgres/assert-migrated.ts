// A service on an older schema would fail later and less clearly, so it refuses to start.
import { MigrationExecutor } from 'typeorm';
import type { Database } from './database.js';

/**
 * Throws, and names the pending migrations, unless all migrations of this release have run. Newer migrations in the database are
 * accepted.
 */
export async function assertMigrated({ schema, dataSource }: Database): Promise<void> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  if (pending.length === 0) return;
  const names = pending.map((migration) => migration.name).join(', ');
  throw new Error(`schema ${schema} has pending migrations: ${names}. Run the migrate command first.`);
}
