// `node dist/migrate.js` of every service: migrates its schema and exits. Prints one line on success; otherwise a readable message
// and exit code 1.
import { loadMigrateConfig } from '../config/migrate.config.js';
import type { PlanOptions } from '../postgres/data-source.js';
import { migrateService } from '../postgres/migrate.js';
import type { MigrationClass } from '../postgres/migration.js';
import { startOrExit } from './start-process.js';

/** The plan options are those with which the service runs. */
export interface MigrateCommand extends PlanOptions {
  /** The service. Its schema has the same name. */
  service: string;
  migrations: readonly MigrationClass[];
}

export function runMigrateCommand({ service, migrations, ...plan }: MigrateCommand): void {
  startOrExit(async () => {
    const { DATABASE_URL: databaseUrl, KILN_DATABASE_LOGIN: role, ...limits } = loadMigrateConfig();
    const session = { ...plan, statementTimeoutMs: limits.KILN_DATABASE_STATEMENT_TIMEOUT_MS };
    const print = (line: string) => process.stdout.write(`${service}: ${line}\n`);
    const onLocked = () => print('another session holds a lock; trying again');
    const { applied } = await migrateService({
      service,
      migrations,
      databaseUrl,
      onLocked,
      ...(role !== undefined && { login: { role, session } }),
    });
    print(applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`);
  });
}
