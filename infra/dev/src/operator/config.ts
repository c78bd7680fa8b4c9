/** The environment of an operator command: the caller's, and the addresses of the running system. */
import { join } from 'node:path';
import { repositoryDirectory } from '../repository.js';

export const inheritedEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env });

export const runJsonPath = (): string =>
  join(process.env['KILN_DATA_DIR'] ?? join(repositoryDirectory, '.kiln'), 'run.json');
