// Real: Postgres, AES-256-GCM. FAKED: nothing.
import { testTenantOf } from '@kiln/contracts';
import { ResealWorker, SealBrokenError, Sealer } from '@kiln/platform';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { ProviderKeyStore } from '../store/provider-key.store.js';
import { silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { ProviderKeys } from './provider-keys.js';

const newKey = () => randomBytes(32).toString('base64');

describe('keys of organizations for providers', () => {
  let kiln: JobsHarness;
  let store: ProviderKeyStore;
  before(async () => {
    kiln = await startJobs();
    store = new ProviderKeyStore(kiln.database);
  });
  beforeEach(() => kiln.sql('truncate provider_keys'));
  after(() => kiln.close());

  const [older, newer] = [newKey(), newKey()];
  const keysUnder = (keys: string) => new ProviderKeys(store, new Sealer(keys));
  const reseal = (keys: string) => new ResealWorker(keysUnder(keys), silentLogger).run();

  it('open for the work of their organization only, never for its test plane', async () => {
    const [live, stranger] = [uuidv7(), uuidv7()];
    const test = testTenantOf(live);
    const keys = keysUnder(older);
    const saved = await keys.save(live, 'embedding', 'sk-secret-1234');
    assert.equal(saved.preview, '…1234');
    assert.equal(await keys.open(live, 'embedding'), 'sk-secret-1234');
    for (const [tenant, provider] of [
      [test, 'embedding'],
      [stranger, 'embedding'],
      [live, 'chat'],
    ] as const) {
      assert.equal(await keys.open(tenant, provider), null);
    }
    // Whatever puts a key under a test plane itself, work there does not use it.
    await keys.save(test, 'embedding', 'sk-secret-5678');
    assert.equal(await keys.open(test, 'embedding'), null);
  });

  it('lie in the database unreadable, and open in their own row only', async () => {
    const [mine, other] = [uuidv7(), uuidv7()];
    const keys = keysUnder(older);
    await keys.save(mine, 'chat', 'sk-secret-1234');
    const [row] = await kiln.sql<{ sealed: Buffer; text: string }>(
      'select sealed, k::text as text from provider_keys k',
    );
    assert.ok(row && !row.sealed.includes('secret') && !row.text.includes('secret'));
    await kiln.sql(`insert into provider_keys select $1, 'chat', sealed, preview from provider_keys`, [other]);
    await assert.rejects(keys.open(other, 'chat'), SealBrokenError);
    await kiln.sql(
      `insert into provider_keys select tenant_id, 'embedding', sealed, preview from provider_keys
      where tenant_id = $1`,
      [mine],
    );
    await assert.rejects(keys.open(mine, 'embedding'), SealBrokenError);
  });

  it('are replaced, keep when they were first set, and are gone once removed', async () => {
    const tenantId = uuidv7();
    const keys = keysUnder(older);
    const first = await keys.save(tenantId, 'chat', 'sk-secret-1234');
    const second = await keys.save(tenantId, 'chat', 'sk-secret-5678');
    assert.deepEqual(second.created_at, first.created_at);
    assert.equal((await store.list(tenantId)).length, 1);
    assert.equal(await keys.open(tenantId, 'chat'), 'sk-secret-5678');
    assert.deepEqual([await store.remove(tenantId, 'chat'), await store.remove(tenantId, 'chat')], [true, false]);
    assert.equal(await keys.open(tenantId, 'chat'), null);
  });

  it('are sealed anew with the newest encryption key, after which the older one can be dropped', async () => {
    const tenants = Array.from({ length: 600 }, () => uuidv7());
    await Promise.all(tenants.map((tenant) => keysUnder(older).save(tenant, 'chat', `sk-secret-${tenant}`)));
    await keysUnder(newer).save(uuidv7(), 'chat', 'sk-secret-1234');
    const both = `${newer},${older}`;
    const counts = await Promise.all([reseal(both), reseal(both)]);
    assert.equal(counts[0] + counts[1], tenants.length, 'each once, however many look');
    for (const tenant of tenants) assert.equal(await keysUnder(newer).open(tenant, 'chat'), `sk-secret-${tenant}`);
    assert.equal(await reseal(newer), 0);
  });

  it('one that does not open keeps no other from being sealed anew', async () => {
    const [lost, kept] = [uuidv7(), uuidv7()];
    await keysUnder(newKey()).save(lost, 'chat', 'sk-secret-1234');
    await keysUnder(older).save(kept, 'chat', 'sk-secret-5678');
    assert.equal(await reseal(`${newer},${older}`), 1);
    assert.equal(await keysUnder(newer).open(kept, 'chat'), 'sk-secret-5678');
  });

  it('a key that is set while it is being sealed anew stands', async () => {
    const tenantId = uuidv7();
    await keysUnder(older).save(tenantId, 'chat', 'sk-secret-1234');
    const [read] = await store.page(null, 1);
    assert.ok(read);
    const both = keysUnder(`${newer},${older}`);
    await both.save(tenantId, 'chat', 'sk-secret-5678');
    assert.equal(await both.renew(read), false);
    assert.equal(await both.open(tenantId, 'chat'), 'sk-secret-5678');
  });
});
