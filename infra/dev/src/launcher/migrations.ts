/**
 * Migrates the schemas before the services start. The platform's runner is loaded from its built file instead of being imported:
 * the platform's tests depend on this launcher, and TypeScript project references must not form a cycle.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LauncherError, messageOf } from '../errors.js';
import { repositoryDirectory } from '../repository.js';

/** A schema to migrate. */
export interface MigrationTarget {
  readonly service: string;
  /** The migration classes of the service's `migrations/index.ts`. */
  readonly migrations: readonly never[];
  readonly databaseUrl: string;
}

export type MigrateService = (target: MigrationTarget) => Promise<{ applied: string[] }>;

/** The platform's `migrateService`. */
export async function platformMigrations(): Promise<MigrateService> {
  const path = join(repositoryDirectory, 'packages/platform/dist/postgres/migrate.js');
  if (!existsSync(path)) throw new LauncherError('entry_missing', `Not built yet: ${path}\nRun: npm run build`);
  const { migrateService } = (await import(pathToFileURL(path).href)) as { migrateService: MigrateService };
  return migrateService;
}

/** Migrates the schema of one built service of this repository. */
export async function migrateBuiltService(service: string, databaseUrl: string): Promise<void> {
  const migrations = await builtMigrations(join(repositoryDirectory, 'services'), service);
  const migrate = await platformMigrations();
  await migrate({ service, migrations: migrations ?? [], databaseUrl });
}

/** Migrates all services one after the other. Returns the number of applied migrations. */
export async function migrateAll(
  services: Iterable<string>,
  servicesDirectory: string,
  databaseUrl: string,
  migrate: MigrateService,
): Promise<number> {
  let count = 0;
  for (const service of new Set(services)) {
    const migrations = await builtMigrations(servicesDirectory, service);
    if (migrations === null) continue;
    try {
      count += (await migrate({ service, migrations, databaseUrl })).applied.length;
    } catch (cause) {
      const reason = cause instanceof Error && cause.cause ? `: ${messageOf(cause.cause)}` : '';
      throw new LauncherError('migration_failed', `Migrating ${service} failed. ${messageOf(cause)}${reason}`, {
        cause,
      });
    }
  }
  return count;
}

async function builtMigrations(
  servicesDirectory: string,
  service: string,
): Promise<MigrationTarget['migrations'] | null> {
  const path = join(servicesDirectory, service, 'dist/migrations/index.js');
  if (!existsSync(path)) return null;
  const { migrations } = (await import(pathToFileURL(path).href)) as Pick<MigrationTarget, 'migrations'>;
  return migrations;
}
