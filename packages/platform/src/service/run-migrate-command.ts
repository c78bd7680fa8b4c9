// `node dist/migrate.js` of every service: migrates its schema and exits. Prints one line on success; otherwise a readable message
// and exit code 1.
import { loadMigrateConfig } from '../config/migrate.config.js';
import { migrateService } from '../postgres/migrate.js';
import type { MigrationClass } from '../postgres/migration.js';
import { startOrExit } from './start-process.js';

export interface MigrateCommand {
  /** The service. Its schema has the same name. */
  service: string;
  migrations: readonly MigrationClass[];
}

export function runMigrateCommand({ service, migrations }: MigrateCommand): void {
  startOrExit(async () => {
    const { DATABASE_URL: databaseUrl } = loadMigrateConfig();
    const print = (line: string) => process.stdout.write(`${service}: ${line}\n`);
    const onLocked = () => print('another session holds a lock; trying again');
    const { applied } = await migrateService({ service, migrations, databaseUrl, onLocked });
    print(applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`);
  });
}
