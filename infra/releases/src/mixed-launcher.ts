/** `npm start` with some processes of another release. The schemas are those of this one: a rollout migrates first. */
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { migrateInChild, processName, runInForeground, topology } from '@kiln/dev/launcher';
import { readOtherRelease } from './mixed-launcher.config.js';

const { directory, processes } = readOtherRelease();
const unknown = processes.filter((name) => !topology.some((description) => processName(description) === name));
if (unknown.length > 0) throw new Error(`no such process: ${unknown.join(', ')}`);

await runInForeground({
  topology: topology.map((description) =>
    processes.includes(processName(description))
      ? { ...description, servicesDirectory: join(directory, 'services') }
      : description,
  ),
  servicesDirectory: join(repositoryDirectory, 'services'),
  migrate: migrateInChild,
});
