import { describe, expect, it } from '@jest/globals';
import { credentialKindOf, credentialKinds, storageProviderIds, storageProviderOf } from '@kiln/contracts';
import { instructionsFor } from './instructions.js';

const installation = { organizationId: 'org_1', awsPrincipal: 'arn:aws:iam::123456789012:role/kiln' };

describe('instructions', () => {
  it('name fields that the credentials of the provider have, for every provider', () => {
    for (const provider of storageProviderIds) {
      const { steps, required_fields: fields } = instructionsFor(provider, installation);
      expect([provider, steps.length >= 2]).toStrictEqual([provider, true]);
      const kind = credentialKindOf(provider, Object.fromEntries(fields.map((name) => [name, 'x'])));
      const known = Object.keys(credentialKinds[kind].shape);
      for (const field of fields)
        expect([provider, field, known.includes(field)]).toStrictEqual([provider, field, true]);
      const named = storageProviderOf(provider);
      if (named.authTypes[0] === 'access_key') expect(fields.includes('endpoint')).toBe(named.endpoint === undefined);
    }
  });

  it('for a role contain the principal to trust, and the organization as external id', () => {
    const { role_arn, external_id, steps } = instructionsFor('s3', installation);
    expect([role_arn, external_id]).toStrictEqual([installation.awsPrincipal, 'org_1']);
    expect(steps.some((step) => step.includes(installation.awsPrincipal) && step.includes('"org_1"'))).toBe(true);
  });

  it('say so when the operator has configured no principal', () => {
    const { role_arn, steps } = instructionsFor('s3', { organizationId: 'org_1', awsPrincipal: undefined });
    expect(role_arn ?? '').toMatch(/<account of this Kiln>/);
    expect(steps[0] ?? '').toMatch(/KILN_CONNECTIONS_AWS_PRINCIPAL/);
  });
});
