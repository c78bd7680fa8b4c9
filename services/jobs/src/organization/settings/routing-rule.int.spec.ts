// Real: Postgres. FAKED: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testTenantOf, type RoutingRule } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../../test/jobs-harness.js';
import { OrganizationSettingsEntity } from './organization-settings.entity.js';
import { RoutingRuleStore } from './routing-rule.store.js';

const rule = (content_type: string, provider: RoutingRule['provider']): RoutingRule => ({ content_type, provider });

describe('routing rules', () => {
  let kiln: JobsHarness;
  let rules: RoutingRuleStore;
  beforeAll(async () => {
    kiln = await startJobs();
    rules = new RoutingRuleStore(kiln.database, kiln.database.dataSource.getRepository(OrganizationSettingsEntity));
  });
  afterAll(() => kiln.close());

  it('an exact type wins over wildcards, a longer wildcard over a shorter one, whatever their order', async () => {
    const tenantId = uuidv7();
    const given = [
      rule('*/*', 'audio_extractor'),
      rule('image/*', 'image_extractor'),
      rule('image/svg+xml', 'document_extractor'),
      rule('image/vnd.*', 'document_extractor'),
      rule('image/vnd.adobe.photoshop', 'audio_extractor'),
    ];
    const expected = {
      'image/svg+xml': 'document_extractor',
      'IMAGE/SVG+XML; charset=utf-8': 'document_extractor',
      'image/png': 'image_extractor',
      'image/vnd.dwg': 'document_extractor',
      'image/vnd.adobe.photoshop': 'audio_extractor',
      'images/png': 'audio_extractor',
      'text/plain': 'audio_extractor',
    };
    for (const order of [given, given.toReversed()]) {
      expect(await rules.replace(tenantId, order)).toStrictEqual(order);
      expect(await rules.find(tenantId)).toStrictEqual(order);
      const chosen: Record<string, string | null> = {};
      for (const type of Object.keys(expected)) chosen[type] = await rules.providerFor(tenantId, type);
      expect(chosen).toStrictEqual(expected);
    }
  });

  it('wildcards are not patterns: _ and % and . match themselves', async () => {
    const tenantId = uuidv7();
    await rules.replace(tenantId, [rule('a_b/*', 'image_extractor'), rule('x/y.z', 'image_extractor')]);
    expect(await rules.providerFor(tenantId, 'a_b/c')).toBe('image_extractor');
    for (const type of ['acb/c', 'x/yz', 'x/y.z2', 'x/yaz', ''])
      expect(await rules.providerFor(tenantId, type)).toBeNull();
  });

  it('apply to both modes of their organization, and to no other', async () => {
    const [live, stranger] = [uuidv7(), uuidv7()];
    const test = testTenantOf(live);
    await rules.replace(live, [rule('text/*', 'image_extractor')]);
    expect(await rules.providerFor(test, 'text/plain')).toBe('image_extractor');
    expect(await rules.providerFor(stranger, 'text/plain')).toBeNull();
  });

  it('are replaced as a whole: of concurrent writers, the rules of one remain', async () => {
    const tenantId = uuidv7();
    const sets = Array.from({ length: 20 }, (_, set) =>
      Array.from({ length: 5 }, (_, at) => rule(`set${set}/type${at}`, 'image_extractor')),
    );
    await Promise.all(sets.map((set) => rules.replace(tenantId, set)));
    const standing = await rules.find(tenantId);
    expect(sets).toContainEqual(standing);
    await rules.replace(tenantId, []);
    expect(await rules.find(tenantId)).toStrictEqual([]);
  });
});
