/** Launches a Kiln with processes of two releases. */
import { join } from 'node:path';
import { makeTemporaryHome, startNats } from '@kiln/dev';
import { startSystem, type RunningSystem, type StartSystemOptions } from '@kiln/dev/start-system';
import { otherReleaseVariables, type OtherRelease } from './mixed-launcher.config.js';

/** The broker has one login for all services: the list of users is that of this release. */
export async function startMixedSystem(
  other: OtherRelease,
  options: StartSystemOptions = {},
): Promise<Pick<RunningSystem, 'baseUrl' | 'apiKey' | 'stop'>> {
  const home = await makeTemporaryHome();
  const nats = await startNats({
    directory: join(home.directory, 'nats'),
    registry: home.registry,
    report: () => undefined,
  });
  const stopBroker = async () => {
    await nats.stop();
    home.remove();
  };
  try {
    const { baseUrl, apiKey, stop } = await startSystem({
      ...options,
      entry: join(import.meta.dirname, 'mixed-launcher.js'),
      environment: { ...options.environment, ...otherReleaseVariables(other), NATS_URL: nats.url },
    });
    const stopAll = async () => {
      const exitCode = await stop();
      await stopBroker();
      return exitCode;
    };
    return { baseUrl, apiKey, stop: stopAll };
  } catch (error) {
    await stopBroker();
    throw error;
  }
}
