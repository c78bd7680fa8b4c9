/** `npm start` with an entry point for each service that gives its processes clocks of their own. */
import { repositoryDirectory } from '@kiln/dev';
import { migrateInChild, runInForeground, topology } from '@kiln/dev/launcher';
import { join } from 'node:path';
import { readClocks } from './clocks.config.js';

const { directory } = readClocks();

await runInForeground({
  topology: topology.map((description) => ({ ...description, servicesDirectory: directory })),
  servicesDirectory: join(repositoryDirectory, 'services'),
  migrate: migrateInChild,
});
