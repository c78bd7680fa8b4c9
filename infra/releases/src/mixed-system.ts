/** Launches a Kiln with processes of two releases. */
import { join } from 'node:path';
import { startSystem, type RunningSystem, type StartSystemOptions } from '@kiln/dev/start-system';
import { otherReleaseVariables, type OtherRelease } from './mixed-launcher.config.js';

export function startMixedSystem(other: OtherRelease, options: StartSystemOptions = {}): Promise<RunningSystem> {
  return startSystem({
    ...options,
    entry: join(import.meta.dirname, 'mixed-launcher.js'),
    environment: { ...options.environment, ...otherReleaseVariables(other) },
  });
}
