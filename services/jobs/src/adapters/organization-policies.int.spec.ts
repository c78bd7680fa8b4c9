// Real: Postgres. Faked: nothing.
import { testTenantOf } from '@kiln/contracts';
import { ruledProvider } from '@kiln/extraction/routing';
import { Sealer } from '@kiln/platform';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { RunPolicies } from '../domain/run-policy.js';
import { ProviderKeyStore } from '../store/provider-key.store.js';
import { RoutingRuleStore } from '../store/routing-rule.store.js';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { organizationPolicies } from './organization-policies.js';
import { ProviderKeys } from './provider-keys.js';

describe('what an organization has chosen', () => {
  let kiln: JobsHarness;
  let policies: RunPolicies;
  let providerKeys: ProviderKeys;
  let routingRules: RoutingRuleStore;
  before(async () => {
    kiln = await startJobs();
    providerKeys = new ProviderKeys(
      new ProviderKeyStore(kiln.database),
      new Sealer(randomBytes(32).toString('base64')),
    );
    routingRules = new RoutingRuleStore(kiln.database);
    policies = organizationPolicies({ routingRules, providerKeys });
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  it('counts for the next run, and for nobody else', async () => {
    const tenantId = uuidv7();
    const before = policies.of(tenantId);
    assert.deepEqual(
      [before.isTest, await before.ruledProvider('application/pdf'), await before.keyOf('embedding')],
      [false, null, null],
    );

    await routingRules.replace(tenantId, [{ content_type: 'application/*', provider: 'image_extractor' }]);
    await providerKeys.save(tenantId, 'embedding', 'sk-of-the-organization');
    const policy = policies.of(tenantId);
    assert.equal(await policy.ruledProvider('application/pdf'), 'image_extractor');
    assert.equal(await policy.keyOf('embedding'), 'sk-of-the-organization');
    assert.equal(await policy.keyOf('document_extractor'), null);
    const other = policies.of(uuidv7());
    assert.deepEqual([await other.ruledProvider('application/pdf'), await other.keyOf('embedding')], [null, null]);
  });

  it('routes in SQL exactly as the rule of precedence says', async () => {
    const types = [
      'image/png',
      'image/svg+xml',
      'IMAGE/PNG; q=1',
      'application/pdf',
      'application/vnd.oasis.text',
      'a/b',
    ];
    const patterns = ['*/*', 'image/*', 'image/s*', 'image/png', 'application/*', 'application/vnd.*', 'a/b'];
    const rule = fc.record({
      content_type: fc.constantFrom(...patterns),
      provider: fc.constantFrom('document_extractor', 'image_extractor', 'audio_extractor'),
    });
    const rules = fc.uniqueArray(rule, { selector: ({ content_type: type }) => type });
    const tenantId = uuidv7();
    const agrees = fc.asyncProperty(rules, fc.constantFrom(...types), async (rules, type) => {
      await routingRules.replace(tenantId, rules);
      assert.equal(await policies.of(tenantId).ruledProvider(type), ruledProvider(type, rules));
    });
    await fc.assert(agrees, { numRuns: 100 });
  });

  it('gives its test plane the rules, and no key, though no other part of the service has heard of that tenant', async () => {
    const live = uuidv7();
    const test = testTenantOf(live);
    await routingRules.replace(live, [{ content_type: '*/*', provider: 'audio_extractor' }]);
    await providerKeys.save(live, 'embedding', 'sk-of-the-organization');
    const policy = policies.of(test);
    assert.equal(policy.isTest, true);
    assert.deepEqual(
      [await policy.ruledProvider('text/plain'), await policy.keyOf('embedding')],
      ['audio_extractor', null],
    );
  });
});
