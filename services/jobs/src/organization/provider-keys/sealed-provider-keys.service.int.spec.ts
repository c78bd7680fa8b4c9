// Real: Postgres, AES-256-GCM. FAKED: nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testTenantOf, type CallContext } from '@kiln/contracts';
import { OutboundPolicy } from '@kiln/outbound';
import { newSecret, providerKeyContext, ResealWorker, SealBrokenError, Sealer } from '@kiln/platform';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { OrganizationPolicies } from '../policies/organization-policies.service.js';
import type { PolicyChanges } from '../policies/policy-changes.service.js';
import { ManageProviderKeys } from './manage-provider-keys.usecase.js';
import { ProviderKeyEntity } from './provider-key.entity.js';
import { ProviderKeyStore } from './provider-key.store.js';
import { silentLogger, startJobs, type JobsHarness } from '../../test/jobs-harness.js';
import { SealedProviderKeys } from './sealed-provider-keys.service.js';

const newKey = () => randomBytes(32).toString('base64');

describe('keys of organizations for providers', () => {
  let kiln: JobsHarness;
  let store: ProviderKeyStore;
  beforeAll(async () => {
    kiln = await startJobs();
    store = new ProviderKeyStore(kiln.database, kiln.database.dataSource.getRepository(ProviderKeyEntity));
  });
  beforeEach(() => kiln.sql('truncate provider_keys'));
  afterAll(() => kiln.close());

  const [older, newer] = [newKey(), newKey()];
  const keysUnder = (keys: string) => new SealedProviderKeys(store, new Sealer(keys));
  const reseal = (keys: string) => new ResealWorker(keysUnder(keys), silentLogger).run();

  it('open for the work of their organization only, never in test mode', async () => {
    const [live, stranger] = [uuidv7(), uuidv7()];
    const test = testTenantOf(live);
    const keys = keysUnder(older);
    const saved = await keys.save(live, 'embedding', { key: 'sk-secret-1234' });
    expect(saved.preview).toBe('…1234');
    expect((await keys.open(live, 'embedding'))?.key).toBe('sk-secret-1234');
    for (const [tenant, provider] of [
      [test, 'embedding'],
      [stranger, 'embedding'],
      [live, 'chat'],
    ] as const) {
      expect(await keys.open(tenant, provider)).toBeNull();
    }
    // Even a key stored under the tenant of test mode is not used.
    await keys.save(test, 'embedding', { key: 'sk-secret-5678' });
    expect(await keys.open(test, 'embedding')).toBeNull();
  });

  it('leave sealed for another service, which opens them with the same encryption key; never in test mode', async () => {
    const live = uuidv7();
    const keys = keysUnder(older);
    await keys.save(live, 'chat', { key: 'sk-secret-1234' });
    const sealed = await keys.find(live, 'chat');
    if (!sealed) throw new Error('the key is not stored');
    expect(sealed.sealed.toString('latin1')).not.toContain('secret');
    expect(new Sealer(older).open(sealed.sealed, providerKeyContext(live, 'chat'))).toBe('sk-secret-1234');
    expect(await keys.find(testTenantOf(live), 'chat')).toBeNull();
  });

  it('with a URL belong to an own extractor, at a public address only, and show the URL but not the secret', async () => {
    const live = uuidv7();
    const changes = { announce: () => undefined } as PolicyChanges;
    const outbound = new OutboundPolicy({ allow: '127.0.0.1' });
    const manage = new ManageProviderKeys(store, keysUnder(older), changes, outbound);
    const context = { tenantId: live } as CallContext;
    const own = { provider: 'document_extractor' as const, key: newSecret() };
    for (const url of ['https://10.0.0.1/', 'http://1.1.1.1/', 'https://user:word@1.1.1.1/'])
      await expect(manage.save({ ...own, url }, context)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const saved = await manage.save({ ...own, url: 'http://127.0.0.1:9/read?a=b#c' }, context);
    expect(saved.url).toBe('http://127.0.0.1:9/read?a=b');
    expect(JSON.stringify([saved, await manage.list(context)])).not.toContain(own.key);
    const policies = new OrganizationPolicies({
      routingRules: { find: () => Promise.resolve([]) },
      settings: { find: () => Promise.resolve(null) },
      providerKeys: keysUnder(older),
    });
    const policy = policies.of(live);
    expect(await policy.extractorOf('document_extractor')).toStrictEqual({ url: saved.url, secret: own.key });
    // The secret is no key for the engine of the operator.
    expect(await policy.keyOf('document_extractor')).toBeNull();
    expect(await policies.of(testTenantOf(live)).extractorOf('document_extractor')).toBeNull();
    await manage.save({ ...own, key: 'sk-secret-1234' }, context);
    policies.clear();
    expect([await policy.extractorOf('document_extractor'), await policy.keyOf('document_extractor')]).toStrictEqual([
      null,
      'sk-secret-1234',
    ]);
  });

  it('are unreadable in the database, and open in their own row only', async () => {
    const [mine, other] = [uuidv7(), uuidv7()];
    const keys = keysUnder(older);
    await keys.save(mine, 'chat', { key: 'sk-secret-1234' });
    const [row] = await kiln.sql<{ sealed: Buffer; text: string }>(
      'select sealed, k::text as text from provider_keys k',
    );
    if (!row) throw new Error('the key is not stored');
    expect(row.sealed.toString('latin1')).not.toContain('secret');
    expect(row.text).not.toContain('secret');
    await kiln.sql(`insert into provider_keys select $1, 'chat', sealed, preview from provider_keys`, [other]);
    await expect(keys.open(other, 'chat')).rejects.toThrow(SealBrokenError);
    await kiln.sql(
      `insert into provider_keys select tenant_id, 'embedding', sealed, preview from provider_keys
      where tenant_id = $1`,
      [mine],
    );
    await expect(keys.open(mine, 'embedding')).rejects.toThrow(SealBrokenError);
  });

  it('can be replaced, which keeps their creation time, and removed', async () => {
    const tenantId = uuidv7();
    const keys = keysUnder(older);
    const first = await keys.save(tenantId, 'chat', { key: 'sk-secret-1234' });
    const second = await keys.save(tenantId, 'chat', { key: 'sk-secret-5678' });
    expect(second.created_at).toStrictEqual(first.created_at);
    expect(await store.list(tenantId)).toHaveLength(1);
    expect((await keys.open(tenantId, 'chat'))?.key).toBe('sk-secret-5678');
    expect([await store.remove(tenantId, 'chat'), await store.remove(tenantId, 'chat')]).toStrictEqual([true, false]);
    expect(await keys.open(tenantId, 'chat')).toBeNull();
  });

  it('are sealed again with the newest encryption key, after which the older one can be removed', async () => {
    const tenants = Array.from({ length: 600 }, () => uuidv7());
    for (const tenant of tenants) await keysUnder(older).save(tenant, 'chat', { key: `sk-secret-${tenant}` });
    await keysUnder(newer).save(uuidv7(), 'chat', { key: 'sk-secret-1234' });
    const both = `${newer},${older}`;
    const counts = await Promise.all([reseal(both), reseal(both)]);
    // Each is sealed once, although several workers run.
    expect(counts[0] + counts[1]).toBe(tenants.length);
    for (const tenant of tenants)
      expect((await keysUnder(newer).open(tenant, 'chat'))?.key).toBe(`sk-secret-${tenant}`);
    expect(await reseal(newer)).toBe(0);
  });

  it('one that does not open does not prevent the others from being sealed again', async () => {
    const [lost, kept] = [uuidv7(), uuidv7()];
    await keysUnder(newKey()).save(lost, 'chat', { key: 'sk-secret-1234' });
    await keysUnder(older).save(kept, 'chat', { key: 'sk-secret-5678' });
    expect(await reseal(`${newer},${older}`)).toBe(1);
    expect((await keysUnder(newer).open(kept, 'chat'))?.key).toBe('sk-secret-5678');
  });

  it('a key that is replaced while it is being sealed again is kept', async () => {
    const tenantId = uuidv7();
    await keysUnder(older).save(tenantId, 'chat', { key: 'sk-secret-1234' });
    const [read] = await store.page(null, 1);
    if (!read) throw new Error('no read');
    const both = keysUnder(`${newer},${older}`);
    await both.save(tenantId, 'chat', { key: 'sk-secret-5678' });
    expect(await both.renew(read)).toBe(false);
    expect((await both.open(tenantId, 'chat'))?.key).toBe('sk-secret-5678');
  });
});
