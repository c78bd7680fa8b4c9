/** Starts the servers or the system of a run, and passes their addresses in variables that Jest's workers inherit. */
import { startSharedSystem } from '../start-system.js';
import { assertNothingRefused } from './assert-nothing-refused.js';
import { startSharedServers } from './shared-servers.js';

interface Started {
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<unknown>;
}

/** Starts once, and stops also on interruption. If the variable is set, the existing servers are used and keep running. */
function startedUnless(variable: string, start: () => Promise<Started>) {
  let started: Started | undefined;
  const stop = async (): Promise<void> => {
    await started?.stop();
  };
  return {
    start: async (): Promise<void> => {
      if (process.env[variable] !== undefined) return;
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.once(signal, () => void stop().finally(() => process.exit(1)));
      }
      started = await start();
      Object.assign(process.env, started.environment);
    },
    stop,
  };
}

export const sharedServers = startedUnless('KILN_TEST_POSTGRES_URL', () =>
  startSharedServers((line) => process.stdout.write(`${line}\n`)),
);

export const launchedSystem = startedUnless('KILN_TEST_BASE_URL', async () => {
  const system = await startSharedSystem();
  return {
    environment: {
      KILN_TEST_BASE_URL: system.baseUrl,
      KILN_TEST_API_KEY: system.apiKey,
      KILN_TEST_DATA_DIR: system.dataDir,
    },
    stop: async () => {
      try {
        assertNothingRefused(system.dataDir);
      } finally {
        await system.stop();
      }
    },
  };
});
