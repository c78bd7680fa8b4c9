// A service that met an older schema would fail later and worse, so it refuses to start instead.
import type { Database } from './database.js';
import { readMigrations } from './migration-files.js';
import { statement } from './statement.js';

const appliedNames = statement('platform.applied_migrations', 'select name from migrations');

/** Throws, naming what is pending, unless every migration in `directory` has run. Newer ones in the database are fine. */
export async function assertMigrated(database: Database, directory: string): Promise<void> {
  const applied = new Set(await readApplied(database));
  const pending = readMigrations(directory).filter((migration) => !applied.has(migration.name));
  if (pending.length === 0) return;
  const names = pending.map((migration) => migration.name).join(', ');
  throw new Error(`schema ${database.schema} has pending migrations: ${names}. Run the migrate command first.`);
}

async function readApplied(database: Database): Promise<string[]> {
  try {
    return (await database.query<{ name: string }>(appliedNames)).map((row) => row.name);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && (error.code === '42P01' || error.code === '22023');
    if (missing) return [];
    throw error;
  }
}
