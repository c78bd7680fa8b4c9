// Real: Postgres, AES-256-GCM. Faked: nothing.
import { uuidOf } from '@kiln/contracts';
import { ResealWorker, Sealer } from '@kiln/platform';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { silentLogger } from '../test/test-worker.js';
import { contextOf, ENCRYPTION_KEY, only, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';
import { openHeaders, openSecret, SealedWebhooks } from './webhook-secrets.js';

const newKey = () => randomBytes(32).toString('base64');

describe('the sealed values of webhooks', () => {
  const newer = newKey();
  const both = `${newer},${ENCRYPTION_KEY}`;
  let kiln: WebhooksHarness;
  before(async () => {
    kiln = await startWebhooks();
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  const make = (headers = {}) => kiln.create(uuidv7(), 'http://127.0.0.1:9/', { headers });
  const sealedUnder = (keys: string) => new SealedWebhooks(kiln.webhooks, new Sealer(keys));
  const reseal = (keys = both) => new ResealWorker(sealedUnder(keys), silentLogger).run();
  const rows = () => kiln.webhooks.sealed(null, 1_000);

  it('are sealed with the newest encryption key, after which the older one can be removed', async () => {
    const secrets: string[] = [];
    for (let at = 0; at < 20; at++) secrets.push((await make(at % 2 ? { 'X-At': String(at) } : {})).secret);
    const counts = await Promise.all([reseal(), reseal()]);
    assert.equal(counts[0] + counts[1], 20, 'each once, however many look');
    const sealer = new Sealer(newer);
    const opened = await rows();
    assert.deepEqual(new Set(opened.map((row) => openSecret(sealer, row, 'secret'))), new Set(secrets));
    assert.deepEqual(
      opened.map((row) => openHeaders(sealer, row)['X-At'] ?? '').filter((value) => value !== '').length,
      10,
    );
    assert.equal(await reseal(newer), 0);
  });

  it('include the secret that a rotation has replaced, while it still signs', async () => {
    const tenantId = uuidv7();
    const webhook = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    const rotated = await kiln.manage.rotate({ id: webhook.id, grace_period_seconds: 600 }, contextOf(tenantId));
    assert.equal(await reseal(), 1);
    const row = only(await rows());
    const sealer = new Sealer(newer);
    assert.deepEqual(
      [openSecret(sealer, row, 'secret'), openSecret(sealer, row, 'previous_secret')],
      [rotated.secret, webhook.secret],
    );
  });

  it('that do not open keep neither other webhooks nor their own webhook’s other values from being sealed anew', async () => {
    const tenantId = uuidv7();
    const webhook = await kiln.create(tenantId, 'http://127.0.0.1:9/', { headers: { 'X-A': 'b' } });
    const place = { tenantId, rowId: uuidOf('webhook', webhook.id), name: 'headers' };
    await kiln.sql('update webhooks set headers = $1', [new Sealer(newKey()).seal('{}', place)]);
    await make();
    assert.equal(await reseal(), 1);
    const sealer = new Sealer(newer);
    assert.ok((await rows()).every((row) => openSecret(sealer, row, 'secret') !== null));
  });

  it('that are rotated while they are being sealed anew stay as the rotation set them', async () => {
    const tenantId = uuidv7();
    const webhook = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    const read = only(await rows());
    const { secret } = await kiln.manage.rotate({ id: webhook.id, grace_period_seconds: 0 }, contextOf(tenantId));
    assert.equal(await sealedUnder(both).renew(read), false);
    assert.equal(openSecret(new Sealer(ENCRYPTION_KEY), only(await rows()), 'secret'), secret);
  });
});
