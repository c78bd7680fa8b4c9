// The system under test: the one launched by the test run, or a new one if a suite runs alone.
import { startSharedSystem } from '@kiln/dev/start-system';
import { KilnClient } from './kiln-client.js';

export interface SystemUnderTest {
  client: KilnClient;
  dataDir: string;
  stop(): Promise<void>;
}

export async function systemUnderTest(): Promise<SystemUnderTest> {
  const { KILN_TEST_BASE_URL: baseUrl, KILN_TEST_API_KEY: apiKey, KILN_TEST_DATA_DIR: dataDir } = process.env;
  if (baseUrl && apiKey && dataDir)
    return { client: await KilnClient.of(baseUrl, apiKey), dataDir, stop: async () => {} };
  const system = await startSharedSystem();
  return {
    client: await KilnClient.of(system.baseUrl, system.apiKey),
    dataDir: system.dataDir,
    stop: async () => {
      await system.stop();
    },
  };
}
