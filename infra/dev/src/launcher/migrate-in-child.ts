/** Runs the migrations in a process of its own, because what they load would stay in the launcher's memory for as long as it runs. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LauncherError, type LauncherErrorCode } from '../errors.js';
import { compileCache } from '../repository.js';
import type { MigrationTargets } from './migrations.js';

/** The last message of the child. */
export type MigrationAnswer =
  | { readonly applied: number }
  | { readonly code: LauncherErrorCode; readonly message: string };

/** Returns the number of applied migrations. */
export function migrateInChild(targets: MigrationTargets): Promise<number> {
  const child = fork(fileURLToPath(new URL('./migration-child.js', import.meta.url)), {
    env: compileCache,
    execArgv: [],
  });
  return new Promise((resolve, reject) => {
    let answer: MigrationAnswer | undefined;
    child.once('message', (message) => {
      answer = message as MigrationAnswer;
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (answer === undefined)
        reject(
          new LauncherError('migration_failed', `The migrations were stopped (${signal ?? `exit code ${code}`}).`),
        );
      else if ('applied' in answer) resolve(answer.applied);
      else reject(new LauncherError(answer.code, answer.message));
    });
    child.send(targets);
  });
}
