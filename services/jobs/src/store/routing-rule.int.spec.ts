// Real: Postgres. FAKED: nothing.
import { testTenantOf, type RoutingRule } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { RoutingRuleStore } from './routing-rule.store.js';

const rule = (content_type: string, provider: RoutingRule['provider']): RoutingRule => ({ content_type, provider });

describe('routing rules', () => {
  let kiln: JobsHarness;
  let rules: RoutingRuleStore;
  before(async () => {
    kiln = await startJobs();
    rules = new RoutingRuleStore(kiln.database);
  });
  after(() => kiln.close());

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
      assert.deepEqual(await rules.replace(tenantId, order), order);
      assert.deepEqual(await rules.find(tenantId), order);
      for (const [type, provider] of Object.entries(expected)) {
        assert.equal(await rules.providerFor(tenantId, type), provider, type);
      }
    }
  });

  it('wildcards are no patterns: _ and % and . stand for themselves', async () => {
    const tenantId = uuidv7();
    await rules.replace(tenantId, [rule('a_b/*', 'image_extractor'), rule('x/y.z', 'image_extractor')]);
    assert.equal(await rules.providerFor(tenantId, 'a_b/c'), 'image_extractor');
    for (const type of ['acb/c', 'x/yz', 'x/y.z2', 'x/yaz', ''])
      assert.equal(await rules.providerFor(tenantId, type), null);
  });

  it('hold for both planes of their organization, and for no other', async () => {
    const [live, stranger] = [uuidv7(), uuidv7()];
    const test = testTenantOf(live);
    await rules.replace(live, [rule('text/*', 'image_extractor')]);
    assert.equal(await rules.providerFor(test, 'text/plain'), 'image_extractor');
    assert.equal(await rules.providerFor(stranger, 'text/plain'), null);
  });

  it('are replaced as a whole: of many who set them at a time, the rules of one stand', async () => {
    const tenantId = uuidv7();
    const sets = Array.from({ length: 20 }, (_, set) =>
      Array.from({ length: 5 }, (_, at) => rule(`set${set}/type${at}`, 'image_extractor')),
    );
    await Promise.all(sets.map((set) => rules.replace(tenantId, set)));
    const standing = await rules.find(tenantId);
    const isOneOfThem = sets.some((set) => isDeepStrictEqual(set, standing));
    assert.ok(isOneOfThem, JSON.stringify(standing));
    await rules.replace(tenantId, []);
    assert.deepEqual(await rules.find(tenantId), []);
  });
});
