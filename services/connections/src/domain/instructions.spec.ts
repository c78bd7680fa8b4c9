import { credentialKindOf, credentialKinds, storageProviderIds, storageProviderOf } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { instructionsFor } from './instructions.js';
import { narrowedPrefix } from './key-prefix.js';
import { TenantSlots } from './tenant-slots.js';

const installation = { organizationId: 'org_1', awsPrincipal: 'arn:aws:iam::123456789012:role/kiln' };

describe('instructions', () => {
  it('name for every provider fields that its credentials really have', () => {
    for (const provider of storageProviderIds) {
      const { steps, required_fields: fields } = instructionsFor(provider, installation);
      assert.ok(steps.length >= 2, provider);
      const kind = credentialKindOf(provider, Object.fromEntries(fields.map((name) => [name, 'x'])));
      const known = Object.keys(credentialKinds[kind].shape);
      for (const field of fields) assert.ok(known.includes(field), `${provider} ${field}`);
      const named = storageProviderOf(provider);
      if (named.authTypes[0] === 'access_key') assert.equal(fields.includes('endpoint'), named.endpoint === undefined);
    }
  });

  it('for a role tell whom to trust, and an external id that is the organization', () => {
    const { role_arn, external_id, steps } = instructionsFor('s3', installation);
    assert.deepEqual([role_arn, external_id], [installation.awsPrincipal, 'org_1']);
    assert.ok(steps.some((step) => step.includes(installation.awsPrincipal) && step.includes('"org_1"')));
  });

  it('say so when the operator has named no identity to trust', () => {
    const { role_arn, steps } = instructionsFor('s3', { organizationId: 'org_1', awsPrincipal: undefined });
    assert.match(role_arn ?? '', /<account of this Kiln>/);
    assert.match(steps[0] ?? '', /KILN_CONNECTIONS_AWS_PRINCIPAL/);
  });
});

it('two prefixes are met by the keys of the longer one, or by none', () => {
  assert.equal(narrowedPrefix('', 'a/'), 'a/');
  assert.equal(narrowedPrefix('a/', ''), 'a/');
  assert.equal(narrowedPrefix('a/', 'a/b'), 'a/b');
  assert.equal(narrowedPrefix('a/b/', 'a/'), 'a/b/');
  assert.equal(narrowedPrefix('a/', 'b/'), null);
});

it('a tenant has so many slots and no more, whatever others hold', () => {
  const slots = new TenantSlots(2);
  assert.deepEqual([slots.take('a'), slots.take('a'), slots.take('a'), slots.take('b')], [true, true, false, true]);
  slots.release('a');
  assert.deepEqual([slots.take('a'), slots.take('a')], [true, false]);
});
