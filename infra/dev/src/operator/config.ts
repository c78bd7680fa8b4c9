/** What an operator command inherits: the caller's environment, and where the running system wrote its addresses. */
import { join } from 'node:path';
import { repositoryDirectory } from '../repository.js';

export const inheritedEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env });

export const runJsonPath = (): string =>
  join(process.env['KILN_DATA_DIR'] ?? join(repositoryDirectory, '.kiln'), 'run.json');
