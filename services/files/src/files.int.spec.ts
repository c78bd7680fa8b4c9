// Real: the compiled service, Postgres, NATS, the object store. Faked: nothing.
import { expect, it } from '@jest/globals';
import { eventually, startTestService, testStorage } from '@kiln/testing';

it('files boots on a migrated schema, is ready, and ends on SIGTERM with exit code 0', async () => {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = await testStorage();
  const service = await startTestService({
    name: 'files',
    role: 'all',
    environment: {
      KILN_STORAGE_ENDPOINT: endpoint,
      KILN_STORAGE_REGION: region,
      KILN_STORAGE_BUCKET: bucket,
      KILN_STORAGE_ACCESS_KEY_ID: accessKeyId,
      KILN_STORAGE_SECRET_ACCESS_KEY: secretAccessKey,
      KILN_STORAGE_FORCE_PATH_STYLE: 'true',
      KILN_STORAGE_EVENTS_TOKEN: 'a-token-of-the-store',
    },
  });
  await eventually(async () =>
    expect(await (await fetch(`${service.healthUrl}/metrics`)).text()).toContain('kiln_object_removals_due'),
  );
  const unauthorized = await fetch(`${service.healthUrl}/storage-events`, { method: 'POST', body: '{}' });
  expect(unauthorized.status).toBe(401);
  expect(await service.stop()).toBe(0);
});
