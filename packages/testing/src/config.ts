/**
 * The addresses of the servers of a test run, passed to its files in the environment. A spec that runs alone finds none and starts
 * its own.
 */
export interface TestConfig {
  readonly postgresUrl: string | undefined;
  readonly natsUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly storage: TestStorage | undefined;
}

/** An S3-compatible store. Its `endpoint` requires path-style addressing. */
export interface TestStorage {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export function readTestConfig(environment: NodeJS.ProcessEnv = process.env): TestConfig {
  const endpoint = environment['KILN_TEST_STORAGE_ENDPOINT'];
  return {
    postgresUrl: environment['KILN_TEST_POSTGRES_URL'],
    natsUrl: environment['KILN_TEST_NATS_URL'],
    redisUrl: environment['KILN_TEST_REDIS_URL'],
    storage:
      endpoint === undefined
        ? undefined
        : {
            endpoint,
            bucket: environment['KILN_TEST_STORAGE_BUCKET'] ?? 'kiln',
            region: environment['KILN_TEST_STORAGE_REGION'] ?? 'us-east-1',
            accessKeyId: environment['KILN_TEST_STORAGE_ACCESS_KEY_ID'] ?? '',
            secretAccessKey: environment['KILN_TEST_STORAGE_SECRET_ACCESS_KEY'] ?? '',
          },
  };
}
