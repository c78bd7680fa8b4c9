// Real: the compiled service, Postgres, NATS, the object store. Faked: nothing.
import { expect, it } from '@jest/globals';
import { startTestService, testStorage } from '@kiln/testing';

it('search boots on a migrated schema, is ready, and ends on SIGTERM with exit code 0', async () => {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = await testStorage();
  const service = await startTestService({
    name: 'search',
    environment: {
      KILN_STORAGE_ENDPOINT: endpoint,
      KILN_STORAGE_REGION: region,
      KILN_STORAGE_BUCKET: bucket,
      KILN_STORAGE_ACCESS_KEY_ID: accessKeyId,
      KILN_STORAGE_SECRET_ACCESS_KEY: secretAccessKey,
      KILN_STORAGE_FORCE_PATH_STYLE: 'true',
    },
  });
  expect(await service.stop()).toBe(0);
});
