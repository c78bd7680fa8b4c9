/** `npm start`. */
import { join } from 'node:path';
import { platformMigrations } from './launcher/migrations.js';
import { runInForeground } from './launcher/run-in-foreground.js';
import { topology } from './launcher/topology.js';
import { repositoryDirectory } from './repository.js';

await runInForeground({
  topology,
  servicesDirectory: join(repositoryDirectory, 'services'),
  migrations: platformMigrations,
});
