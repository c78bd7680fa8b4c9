/** Runs a launcher in a terminal: prints `ready <base_url>`, and stops everything on Ctrl-C, SIGTERM or SIGHUP. */
import { LauncherError, messageOf } from '../errors.js';
import type { LauncherConfig } from './config.js';
import { readLauncherConfig } from './config.js';
import type { LauncherOptions } from './launcher.js';
import { Launcher } from './launcher.js';
import type { Progress } from './progress.js';
import { consoleProgress } from './progress.js';

export async function runInForeground(system: Omit<LauncherOptions, 'config' | 'progress'>): Promise<void> {
  const progress = consoleProgress();
  // The terminal may close before this process ends.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const config = readConfigOrExit(progress);
  const launcher = new Launcher({ ...system, config, progress });
  const ending = endOnSignals(launcher, progress);
  try {
    const baseUrl = await launcher.start();
    console.log(`ready ${baseUrl}`);
  } catch (thrown) {
    ending.fail(thrown);
  }
}

function readConfigOrExit(progress: Progress): LauncherConfig {
  try {
    return readLauncherConfig();
  } catch (thrown) {
    progress.warn(messageOf(thrown));
    process.exit(1);
  }
}

/** The first signal stops everything in order and exits with 0. The second kills everything and exits at once. */
function endOnSignals(launcher: Launcher, progress: Progress): { fail: (thrown: unknown) => void } {
  let stopping = false;
  const stopAndExit = (exitCode: number) => {
    stopping = true;
    launcher.stop().then(
      () => process.exit(exitCode),
      (thrown: unknown) => {
        progress.warn(`stopping failed: ${messageOf(thrown)}`);
        launcher.killAll();
        process.exit(1);
      },
    );
  };
  const fail = (thrown: unknown) => {
    if (stopping) return; // The interrupted start is already being stopped.
    progress.warn(thrown instanceof LauncherError ? thrown.message : String((thrown as Error).stack ?? thrown));
    stopAndExit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) {
        launcher.killAll();
        process.exit(1);
      }
      progress.step('stopping');
      stopAndExit(0);
    });
  }
  process.on('uncaughtException', fail);
  return { fail };
}
