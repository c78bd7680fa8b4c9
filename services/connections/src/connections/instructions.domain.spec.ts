import { describe, expect, it } from '@jest/globals';
import { credentialKindOf, credentialKinds, storageProviderIds, storageProviderOf } from '@kiln/contracts';
import { instructionsFor } from './instructions.domain.js';

const installation = { organizationId: 'org_1', awsPrincipal: 'arn:aws:iam::123456789012:role/kiln', oidc: null };
const oidc = { issuer: 'https://kiln.example', jwks: { keys: [{ kty: 'EC' }] } };

describe('instructions', () => {
  it.each(storageProviderIds)('for %s name fields that its credentials have', (provider) => {
    const { steps, required_fields: fields } = instructionsFor(provider, installation);
    expect(steps.length).toBeGreaterThanOrEqual(2);
    const kind = credentialKindOf(provider, Object.fromEntries(fields.map((name) => [name, 'x'])));
    expect(Object.keys(credentialKinds[kind].shape)).toStrictEqual(expect.arrayContaining([...fields]));
    const { authTypes, endpoint } = storageProviderOf(provider);
    if (authTypes[0] === 'access_key') expect(fields.includes('endpoint')).toBe(endpoint === undefined);
  });

  it('for a role contain the principal to trust, and the organization as external id', () => {
    const { role_arn, external_id, steps } = instructionsFor('s3', installation);
    expect([role_arn, external_id]).toStrictEqual([installation.awsPrincipal, 'org_1']);
    const trusting = steps.filter((step) => step.includes(installation.awsPrincipal));
    expect(trusting.join()).toContain('"org_1"');
  });

  it('for an identity pool contain the issuer, its keys, and the organization as the only subject', () => {
    const { issuer, subject, jwks, steps } = instructionsFor('gcs', { ...installation, oidc });
    expect({ issuer, subject, jwks }).toStrictEqual({ ...oidc, subject: 'org_1' });
    expect(steps.filter((step) => step.includes(oidc.issuer))).toHaveLength(1);
    expect(steps.filter((step) => step.includes('/subject/org_1'))).toHaveLength(1);
  });

  it('name no identity pool when the operator has configured no issuer', () => {
    const instructions = instructionsFor('gcs', installation);
    expect(Object.keys(instructions)).toStrictEqual(['steps', 'required_fields']);
    expect(instructions.steps.join()).not.toContain('identity pool');
  });

  it('say so when the operator has configured no principal', () => {
    const { role_arn, steps } = instructionsFor('s3', { ...installation, awsPrincipal: undefined });
    expect(role_arn ?? '').toMatch(/<account of this Kiln>/);
    expect(steps[0] ?? '').toMatch(/KILN_CONNECTIONS_AWS_PRINCIPAL/);
  });
});
