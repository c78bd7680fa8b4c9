// Real: the compiled service, Postgres, NATS. Faked: nothing.
import { expect, it } from '@jest/globals';
import { startTestService } from '@kiln/testing';
import { randomBytes } from 'node:crypto';

const environment = { KILN_ENCRYPTION_KEY: randomBytes(32).toString('base64') };

for (const role of ['api', 'worker', 'all'] as const) {
  it(`webhooks boots in the role ${role} on a migrated schema, is ready, and ends on SIGTERM with exit code 0`, async () => {
    const service = await startTestService({ name: 'webhooks', role, environment });
    expect(await service.stop()).toBe(0);
  });
}
