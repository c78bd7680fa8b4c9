/**
 * Migrates the schemas before the services start. The platform's runner is loaded from its built file instead of being imported:
 * the platform's tests depend on this launcher, and TypeScript project references must not form a cycle.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LauncherError, messageOf } from '../errors.js';
import { repositoryDirectory } from '../repository.js';

/** The schemas of built services, in one database. */
export interface MigrationTargets {
  readonly services: readonly string[];
  readonly servicesDirectory: string;
  readonly databaseUrl: string;
}

/** The migration classes of a service's `migrations/index.ts`. */
type Migrations = readonly never[];
type MigrateService = (target: {
  service: string;
  migrations: Migrations;
  databaseUrl: string;
}) => Promise<{ applied: string[] }>;

/** Migrates the schema of one built service of this repository. */
export async function migrateBuiltService(service: string, databaseUrl: string): Promise<void> {
  const migrations = await builtMigrations(join(repositoryDirectory, 'services'), service);
  const migrate = await platformRunner();
  await migrate({ service, migrations: migrations ?? [], databaseUrl });
}

/** Migrates all services one after the other. Returns the number of applied migrations. */
export async function migrateAll({ services, servicesDirectory, databaseUrl }: MigrationTargets): Promise<number> {
  const migrate = await platformRunner();
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

/** The platform's `migrateService`. */
async function platformRunner(): Promise<MigrateService> {
  const path = join(repositoryDirectory, 'packages/platform/dist/postgres/migrate.js');
  if (!existsSync(path)) throw new LauncherError('entry_missing', `Not built yet: ${path}\nRun: npm run build`);
  const { migrateService } = (await import(pathToFileURL(path).href)) as { migrateService: MigrateService };
  return migrateService;
}

async function builtMigrations(servicesDirectory: string, service: string): Promise<Migrations | null> {
  const path = join(servicesDirectory, service, 'dist/migrations/index.js');
  if (!existsSync(path)) return null;
  const { migrations } = (await import(pathToFileURL(path).href)) as { migrations: Migrations };
  return migrations;
}
