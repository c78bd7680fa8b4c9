// Real: Postgres, AES-256-GCM. Faked: nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf } from '@kiln/contracts';
import { ResealWorker, Sealer } from '@kiln/platform';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { silentLogger } from '../test/test-worker.js';
import { contextOf, ENCRYPTION_KEY, only, startWebhooks, type WebhooksHarness } from '../test/webhooks-harness.js';
import { SealedWebhooks } from './sealed-webhooks.service.js';
import { openHeaders, openSecret } from './webhook-secrets.service.js';

const newKey = () => randomBytes(32).toString('base64');

describe('the sealed values of webhooks', () => {
  const newer = newKey();
  const both = `${newer},${ENCRYPTION_KEY}`;
  let kiln: WebhooksHarness;
  beforeAll(async () => {
    kiln = await startWebhooks();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const make = (headers = {}) => kiln.create(uuidv7(), 'http://127.0.0.1:9/', { headers });
  const sealedUnder = (keys: string) => new SealedWebhooks(kiln.webhooks, new Sealer(keys));
  const reseal = (keys = both) => new ResealWorker(sealedUnder(keys), silentLogger).run();
  const rows = () => kiln.webhooks.sealed(null, 1_000);

  it('are sealed with the newest encryption key, after which the older one can be removed', async () => {
    const secrets: string[] = [];
    for (let at = 0; at < 20; at++) secrets.push((await make(at % 2 ? { 'X-At': String(at) } : {})).secret);
    const counts = await Promise.all([reseal(), reseal()]);
    // Each webhook is sealed once, although several workers run.
    expect(counts[0] + counts[1]).toBe(20);
    const sealer = new Sealer(newer);
    const opened = await rows();
    expect(new Set(opened.map((row) => openSecret(sealer, row, 'secret')))).toStrictEqual(new Set(secrets));
    expect(
      opened.map((row) => openHeaders(sealer, row)['X-At'] ?? '').filter((value) => value !== '').length,
    ).toStrictEqual(10);
    expect(await reseal(newer)).toBe(0);
  });

  it('include the secrets that rotations have replaced, while they still sign', async () => {
    const tenantId = uuidv7();
    const webhook = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    const rotate = () => kiln.manage.rotate({ id: webhook.id, grace_period_seconds: 600 }, contextOf(tenantId));
    const [second, third] = [await rotate(), await rotate()];
    expect(await reseal()).toBe(1);
    const row = only(await rows());
    const sealer = new Sealer(newer);
    const earlier = row.earlier_secrets.map((secret) => openSecret(sealer, { ...row, secret }, 'secret'));
    expect(earlier).toStrictEqual([webhook.secret]);
    expect([openSecret(sealer, row, 'secret'), openSecret(sealer, row, 'previous_secret')]).toStrictEqual([
      third.secret,
      second.secret,
    ]);
  });

  it('include at most ten earlier secrets; then a rotation with a grace period is refused, and one without is not', async () => {
    const tenantId = uuidv7();
    const webhook = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    const rotate = (seconds: number) =>
      kiln.manage.rotate({ id: webhook.id, grace_period_seconds: seconds }, contextOf(tenantId));
    for (let times = 0; times < 10; times++) await rotate(600);
    await expect(rotate(600)).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/10 earlier/) });
    expect((await rotate(0)).previous_secret_expires_at).toBeNull();
    await rotate(600);
  });

  it('that do not open keep neither other webhooks nor their own webhook’s other values from being sealed anew', async () => {
    const tenantId = uuidv7();
    const webhook = await kiln.create(tenantId, 'http://127.0.0.1:9/', { headers: { 'X-A': 'b' } });
    const place = { tenantId, rowId: uuidOf('webhook', webhook.id), name: 'headers' };
    await kiln.sql('update webhooks set headers = $1', [new Sealer(newKey()).seal('{}', place)]);
    await make();
    expect(await reseal()).toBe(1);
    const sealer = new Sealer(newer);
    const secrets = (await rows()).map((row) => openSecret(sealer, row, 'secret'));
    expect(secrets).not.toContain(null);
  });

  it('that are rotated while they are being sealed anew stay as the rotation set them', async () => {
    const tenantId = uuidv7();
    const webhook = await kiln.create(tenantId, 'http://127.0.0.1:9/');
    const read = only(await rows());
    const { secret } = await kiln.manage.rotate({ id: webhook.id, grace_period_seconds: 0 }, contextOf(tenantId));
    expect(await sealedUnder(both).renew(read)).toBe(false);
    expect(openSecret(new Sealer(ENCRYPTION_KEY), only(await rows()), 'secret')).toBe(secret);
  });
});
