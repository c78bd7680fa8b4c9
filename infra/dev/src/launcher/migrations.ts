/**
 * Brings the schemas up to date before the services start. The platform's runner is loaded from its built file rather
 * than compiled against: the platform's own tests stand on this launcher, and TypeScript's projects form no circle.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LauncherError, messageOf } from '../errors.js';
import { repositoryDirectory } from '../repository.js';

/** One schema to bring up to date. */
export interface MigrationTarget {
  readonly service: string;
  readonly directory: string;
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

/** Migrates every service that has a migrations folder, one after the other, and counts what was applied. */
export async function migrateAll(
  services: Iterable<string>,
  servicesDirectory: string,
  databaseUrl: string,
  migrate: MigrateService,
): Promise<number> {
  let count = 0;
  for (const service of new Set(services)) {
    const directory = join(servicesDirectory, service, 'migrations');
    if (!existsSync(directory)) continue;
    try {
      count += (await migrate({ service, directory, databaseUrl })).applied.length;
    } catch (cause) {
      const reason = cause instanceof Error && cause.cause ? `: ${messageOf(cause.cause)}` : '';
      throw new LauncherError('migration_failed', `Migrating ${service} failed. ${messageOf(cause)}${reason}`, {
        cause,
      });
    }
  }
  return count;
}
