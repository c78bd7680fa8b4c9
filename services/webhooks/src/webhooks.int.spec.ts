// Real: the compiled service, Postgres, NATS. Faked: nothing.
import { startTestService } from '@kiln/testing';
import assert from 'node:assert/strict';
import { it } from 'node:test';

it('webhooks boots on a migrated schema, is ready, and ends on SIGTERM with exit code 0', async () => {
  const service = await startTestService({ name: 'webhooks' });
  const readiness = await fetch(`${service.healthUrl}/readyz`);
  assert.equal(readiness.status, 200);
  assert.equal(await service.stop(), 0);
});
