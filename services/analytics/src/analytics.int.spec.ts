// Real: the compiled service, Postgres, NATS. Faked: nothing.
import { expect, it } from '@jest/globals';
import { startTestService } from '@kiln/testing';

it('analytics boots on a migrated schema, is ready, and ends on SIGTERM with exit code 0', async () => {
  const service = await startTestService({ name: 'analytics' });
  expect(await service.stop()).toBe(0);
});
