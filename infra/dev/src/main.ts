/** `npm start`. */
import { join } from 'node:path';
import { migrateInChild } from './launcher/migrate-in-child.js';
import { runInForeground } from './launcher/run-in-foreground.js';
import { signInLink } from './launcher/sign-in-link.js';
import { topology } from './launcher/topology.js';
import { repositoryDirectory } from './repository.js';

await runInForeground({
  topology,
  servicesDirectory: join(repositoryDirectory, 'services'),
  migrate: migrateInChild,
  signInLink,
});
