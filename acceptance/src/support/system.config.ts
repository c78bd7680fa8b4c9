// The system under test: the one the test run has launched, or one of its own when a suite is run by hand.
import { startSystem } from '@kiln/dev/start-system';
import { KilnClient } from './kiln-client.js';

export interface SystemUnderTest {
  client: KilnClient;
  stop(): Promise<void>;
}

export async function systemUnderTest(): Promise<SystemUnderTest> {
  const { KILN_TEST_BASE_URL: baseUrl, KILN_TEST_API_KEY: apiKey } = process.env;
  if (baseUrl && apiKey) return { client: await KilnClient.of(baseUrl, apiKey), stop: async () => {} };
  const system = await startSystem();
  return {
    client: await KilnClient.of(system.baseUrl, system.apiKey),
    stop: async () => {
      await system.stop();
    },
  };
}
