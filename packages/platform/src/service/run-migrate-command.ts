// `node dist/migrate.js` of every service: brings its schema up to date and ends. One line on success; a readable message
// and exit code 1 otherwise.
import { loadMigrateConfig } from '../config/migrate.config.js';
import { migrateService } from '../postgres/migrate.js';
import { startOrExit } from './start-process.js';

export interface MigrateCommand {
  /** The service, which is also its schema. */
  service: string;
  /** Folder of the service's migrations. */
  directory: string;
}

export function runMigrateCommand({ service, directory }: MigrateCommand): void {
  startOrExit(async () => {
    const { DATABASE_URL: databaseUrl } = loadMigrateConfig();
    const { applied } = await migrateService({ service, directory, databaseUrl });
    process.stdout.write(`${service}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}\n`);
  });
}
