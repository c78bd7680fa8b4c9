// Migrations are SQL files, `<yyyymmddhhmm>_<effect>.sql`. The first line flags each as additive (the release before keeps
// working) or breaking (only after the release that stopped using what it removes).
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Migration {
  /** Unique and sortable; the platform's own come first, as `platform/…`. */
  readonly name: string;
  readonly kind: 'additive' | 'breaking';
  readonly extensions: readonly string[];
  readonly sql: string;
  readonly checksum: string;
}

const FILE_NAME = /^\d{12}_[a-z0-9_]+\.sql$/;
const FLAG = /^-- kiln: (additive|breaking)$/m;
const EXTENSIONS = /^-- extensions: ([a-z_, ]+)$/m;

/** Tables every service has: outbox and inbox. */
const PLATFORM_DIRECTORY = fileURLToPath(new URL('../../migrations/', import.meta.url));

export function parseMigration(name: string, sql: string): Migration {
  const flag = FLAG.exec(sql)?.[1];
  if (flag !== 'additive' && flag !== 'breaking') {
    throw new Error(`${name}: the line "-- kiln: additive" or "-- kiln: breaking" is missing`);
  }
  const extensions =
    EXTENSIONS.exec(sql)?.[1]
      ?.split(',')
      .map((extension) => extension.trim()) ?? [];
  return { name, kind: flag, extensions, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

function readDirectory(directory: string, prefix: string): Migration[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      if (!FILE_NAME.test(file)) throw new Error(`${file}: migrations are named <yyyymmddhhmm>_<effect>.sql`);
      return parseMigration(`${prefix}${file}`, readFileSync(join(directory, file), 'utf8'));
    });
}

/** Every migration of a service in the order in which they run. */
export function readMigrations(directory: string): Migration[] {
  return [...readDirectory(PLATFORM_DIRECTORY, 'platform/'), ...readDirectory(directory, '')];
}
