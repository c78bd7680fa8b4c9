import { expect, it } from '@jest/globals';
import { startedSchema } from '@kiln/contracts';
import { OidcIssuer } from '../external-buckets/oidc-issuer.service.js';
import { ISSUER_URL, newSigningKey } from '../test/identity-pool.js';
import { SetupInstructions } from './setup-instructions.usecase.js';

for (const type of ['rsa', 'ec'] as const) {
  it(`the response for a bucket of Google has the public ${type} key of the issuer, and no private part of it`, async () => {
    const issuer = new OidcIssuer({ issuer: ISSUER_URL, key: newSigningKey(type) });
    const config = {} as ConstructorParameters<typeof SetupInstructions>[0];
    const started = await new SetupInstructions(config, issuer).start({ provider: 'gcs', org_id: 'org_1' });
    const { instructions } = startedSchema.parse(started);
    expect(instructions).toMatchObject({ issuer: ISSUER_URL, subject: 'org_1', jwks: await issuer.keySet() });
    for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(instructions.jwks?.keys[0]).not.toHaveProperty(part);
    expect(await new SetupInstructions(config, null).start({ provider: 'gcs', org_id: 'org_1' })).toStrictEqual({
      provider: 'gcs',
      auth_type: 'service_account',
      instructions: { steps: expect.any(Array), required_fields: ['type', 'client_email', 'private_key'] },
    });
  });
}
