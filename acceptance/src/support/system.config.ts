// The system under test: the one launched by the test run, or a new one if a suite runs alone.
import { startSharedSystem } from '@kiln/dev/start-system';
import { KilnClient } from './kiln-client.js';
import { newOrganizationWithKey } from './operator.config.js';

export interface SystemUnderTest {
  /** Acts for the first organization, as other suites do. */
  client: KilnClient;
  dataDir: string;
  /** A client that acts for a new organization. */
  newClient(): Promise<KilnClient>;
  stop(): Promise<void>;
}

export async function systemUnderTest(): Promise<SystemUnderTest> {
  const { KILN_TEST_BASE_URL: baseUrl, KILN_TEST_API_KEY: apiKey, KILN_TEST_DATA_DIR: dataDir } = process.env;
  if (baseUrl && apiKey && dataDir) return describedAs({ baseUrl, apiKey, dataDir }, async () => {});
  const system = await startSharedSystem();
  return describedAs(system, async () => void (await system.stop()));
}

async function describedAs(
  { baseUrl, apiKey, dataDir }: { baseUrl: string; apiKey: string; dataDir: string },
  stop: () => Promise<void>,
): Promise<SystemUnderTest> {
  return {
    client: await KilnClient.of(baseUrl, apiKey),
    dataDir,
    newClient: async () => KilnClient.of(baseUrl, (await newOrganizationWithKey(dataDir)).apiKey),
    stop,
  };
}
