/** The process that migrates the schemas which its parent names in a message. */
import { LauncherError, messageOf } from '../errors.js';
import type { MigrationAnswer } from './migrate-in-child.js';
import { migrateAll, type MigrationTargets } from './migrations.js';

async function answerTo(targets: MigrationTargets): Promise<MigrationAnswer> {
  try {
    return { applied: await migrateAll(targets) };
  } catch (thrown) {
    const code = thrown instanceof LauncherError ? thrown.code : 'migration_failed';
    return { code, message: messageOf(thrown) };
  }
}

process.once('message', (targets: MigrationTargets) => {
  void answerTo(targets).then((answer) => process.send?.(answer, () => process.disconnect?.()));
});
