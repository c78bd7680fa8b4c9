// Real: the compiled service, Postgres, NATS. Faked: nothing.
import { expect, it } from '@jest/globals';
import { startTestService } from '@kiln/testing';

it('__name__ boots on a migrated schema, becomes ready, and exits with code 0 on SIGTERM', async () => {
  const service = await startTestService({ name: '__name__' });
  expect(await service.stop()).toBe(0);
});
