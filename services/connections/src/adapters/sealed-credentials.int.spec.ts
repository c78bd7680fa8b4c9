// Real: Postgres, AES-256-GCM. Faked: nothing.
import { createLogger, ResealWorker, Sealer } from '@kiln/platform';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { startConnections, type ConnectionsHarness } from '../test/connections-harness.js';
import { openCredentials, SealedCredentials } from './bucket-credentials.js';
import { ConnectionBuckets } from './connection-buckets.js';

const newKey = () => randomBytes(32).toString('base64');
const silent = createLogger({ service: 'connections', role: 'all', level: 'error' }, { write: () => {} });
const place = { provider: 's3', name: 'n', bucket: 'bucket' } as const;

describe('credentials of connections', () => {
  const [older, newer] = [newKey(), newKey()];
  let harness: ConnectionsHarness;
  before(async () => {
    harness = await startConnections({ encryptionKey: older });
  });
  beforeEach(() => harness.sql('truncate connections'));
  after(() => harness.close());

  const keys = (secret: string) => ({ access_key_id: 'id', secret_access_key: secret });
  const make = (secret: string) => harness.create(uuidv7(), { ...place, credentials: keys(secret) });
  const sealedWith = (text: string) => new SealedCredentials(harness.connections, new Sealer(text));
  const everyRow = () => harness.connections.sealed(null, 1_000);

  it('lie in the database unreadable, and open in their own row only', async () => {
    await make('very-secret');
    await harness.create(uuidv7(), { ...place, credentials: keys('another') });
    const [row, other] = await everyRow();
    assert.ok(row && other && !row.credentials.includes('secret'));
    assert.throws(() => openCredentials(harness.sealer, { ...other, credentials: row.credentials }), {
      name: 'SealBrokenError',
    });
  });

  it('are sealed anew with the newest encryption key, after which the older one can be dropped', async () => {
    for (let at = 0; at < 20; at++) await make(`secret-${at}`);
    await harness.create(uuidv7(), place);
    const both = `${newer},${older}`;
    const reseal = () => new ResealWorker(sealedWith(both), silent).run();
    const counts = await Promise.all([reseal(), reseal()]);
    assert.equal(counts[0] + counts[1], 20, 'each once, however many look');
    const opened = (await everyRow()).map((row) => openCredentials(new Sealer(newer), row));
    assert.deepEqual(
      new Set(opened.map((credentials) => credentials.kind === 'accessKey' && credentials.secret_access_key)),
      new Set(Array.from({ length: 20 }, (_, at) => `secret-${at}`)),
    );
  });

  it('that do not open any more are told in words, and keep no others from being sealed anew', async () => {
    await make('lost');
    const [row] = await everyRow();
    assert.ok(row);
    await harness.sql('update connections set credentials = $1', [
      new Sealer(newKey()).seal('x', { tenantId: '', rowId: '', name: '' }),
    ]);
    await make('kept');
    assert.equal(await new ResealWorker(sealedWith(`${newer},${older}`), silent).run(), 1);
    const lost = await harness.connections.find(row.tenant_id, row.id);
    assert.ok(lost);
    const buckets = new ConnectionBuckets(harness.opener, harness.sealer);
    await assert.rejects(buckets.open(lost, { requestTimeoutMs: 1_000 }), {
      code: 'not_configured',
      message: /operator/,
    });
  });
});
