// Real: Postgres. Faked: nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { testTenantOf, type RoutingRule } from '@kiln/contracts';
import { ruledProvider } from '@kiln/extraction/routing';
import { Sealer } from '@kiln/platform';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { ProviderKeyEntity } from '../provider-keys/provider-key.entity.js';
import { ProviderKeyStore } from '../provider-keys/provider-key.store.js';
import { OrganizationSettingsEntity } from '../settings/organization-settings.entity.js';
import { RoutingRuleStore } from '../settings/routing-rule.store.js';
import { SettingsStore } from '../settings/settings.store.js';
import { startJobs, type JobsHarness } from '../../test/jobs-harness.js';
import { OrganizationPolicies } from './organization-policies.service.js';
import { SealedProviderKeys } from '../provider-keys/sealed-provider-keys.service.js';

fc.configureGlobal({ seed: testSeed() });

const HOUR_MS = 3_600_000;

describe('the policy of an organization', () => {
  let kiln: JobsHarness;
  let policies: OrganizationPolicies;
  let providerKeys: SealedProviderKeys;
  let routingRules: RoutingRuleStore;
  let settings: SettingsStore;
  beforeAll(async () => {
    kiln = await startJobs();
    providerKeys = new SealedProviderKeys(
      new ProviderKeyStore(kiln.database, kiln.database.dataSource.getRepository(ProviderKeyEntity)),
      new Sealer(randomBytes(32).toString('base64')),
    );
    routingRules = new RoutingRuleStore(
      kiln.database,
      kiln.database.dataSource.getRepository(OrganizationSettingsEntity),
    );
    settings = new SettingsStore(kiln.database.dataSource.getRepository(OrganizationSettingsEntity));
    policies = new OrganizationPolicies({ routingRules, providerKeys, settings, timeToLiveMs: HOUR_MS });
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  it('applies to the next run once the cache is cleared, and to no other organization', async () => {
    const tenantId = uuidv7();
    const before = policies.of(tenantId);
    expect([
      before.isTest,
      await before.ruledProvider('application/pdf'),
      await before.keyOf('embedding'),
    ]).toStrictEqual([false, null, null]);

    await routingRules.replace(tenantId, [{ content_type: 'application/*', provider: 'image_extractor' }]);
    await providerKeys.save(tenantId, 'embedding', { key: 'sk-of-the-organization' });
    expect(await before.searchLanguage()).toBe('english');
    await settings.change(tenantId, { search_language: 'german' });
    // Is read once.
    expect(await policies.of(tenantId).searchLanguage()).toBe('english');
    expect(await policies.of(tenantId).ruledProvider('application/pdf')).toBeNull();
    policies.clear();
    const policy = policies.of(tenantId);
    expect(await policy.ruledProvider('application/pdf')).toBe('image_extractor');
    expect(await policy.searchLanguage()).toBe('german');
    expect(await policies.of(testTenantOf(tenantId)).searchLanguage()).toBe('german');
    expect(await policy.keyOf('embedding')).toBe('sk-of-the-organization');
    expect(await policy.keyOf('document_extractor')).toBeNull();
    const other = policies.of(uuidv7());
    expect([await other.ruledProvider('application/pdf'), await other.keyOf('embedding')]).toStrictEqual([null, null]);
  });

  it('routes in SQL exactly as the rules of precedence define', async () => {
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
      expect(await routingRules.providerFor(tenantId, type)).toBe(ruledProvider(type, rules));
    });
    await fc.assert(agrees, { numRuns: 100 });
  });

  it('is read again after a failed read, and after a read that a change has made outdated', async () => {
    const answers: (() => Promise<RoutingRule[]>)[] = [];
    let reads = 0;
    const find = () => (answers[reads++] ?? (() => Promise.resolve([])))();
    const rule: RoutingRule = { content_type: '*/*', provider: 'image_extractor' };
    const cached = new OrganizationPolicies({ routingRules: { find }, providerKeys, settings, timeToLiveMs: HOUR_MS });
    const tenantId = uuidv7();
    const ruled = () => cached.of(tenantId).ruledProvider('text/plain');
    let release = (_rules: RoutingRule[]) => {};
    answers.push(
      () => Promise.reject(new Error('the database is away')),
      () => new Promise((resolve) => (release = resolve)),
      () => Promise.resolve([rule]),
    );
    await expect(ruled()).rejects.toThrow(/away/);
    const overtaken = ruled();
    cached.clear();
    release([]);
    expect([await overtaken, await ruled(), await ruled()]).toStrictEqual([null, 'image_extractor', 'image_extractor']);
    expect(reads).toBe(3);
  });

  it('applies its rules but no key in test mode, even for a tenant that the service has never seen', async () => {
    const live = uuidv7();
    const test = testTenantOf(live);
    await routingRules.replace(live, [{ content_type: '*/*', provider: 'audio_extractor' }]);
    await providerKeys.save(live, 'embedding', { key: 'sk-of-the-organization' });
    const policy = policies.of(test);
    expect(policy.isTest).toBe(true);
    expect([await policy.ruledProvider('text/plain'), await policy.keyOf('embedding')]).toStrictEqual([
      'audio_extractor',
      null,
    ]);
  });
});
