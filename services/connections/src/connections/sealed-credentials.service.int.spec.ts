// Real: Postgres, AES-256-GCM. Faked: nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger, ResealWorker, Sealer } from '@kiln/platform';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { startConnections, type ConnectionsHarness } from '../test/connections-harness.js';
import { ConnectionBuckets } from './connection-buckets.service.js';
import { openCredentials, SealedCredentials } from './sealed-credentials.service.js';

const newKey = () => randomBytes(32).toString('base64');
const silent = createLogger({ service: 'connections', role: 'all', level: 'error' }, { write: () => {} });
const place = { provider: 's3', name: 'n', bucket: 'bucket' } as const;

describe('credentials of connections', () => {
  const [older, newer] = [newKey(), newKey()];
  let harness: ConnectionsHarness;
  beforeAll(async () => {
    harness = await startConnections({ encryptionKey: older });
  });
  beforeEach(() => harness.sql('truncate connections'));
  afterAll(() => harness.close());

  const keys = (secret: string) => ({ access_key_id: 'id', secret_access_key: secret });
  const make = (secret: string) => harness.create(uuidv7(), { ...place, credentials: keys(secret) });
  const sealedWith = (text: string) => new SealedCredentials(harness.connections, new Sealer(text));
  const everyRow = () => harness.connections.sealed(null, 1_000);

  it('are encrypted in the database, and can be opened only in their own row', async () => {
    await make('very-secret');
    await harness.create(uuidv7(), { ...place, credentials: keys('another') });
    const [row, other] = await everyRow();
    if (!row || !other) throw new Error('two rows are needed');
    expect(row.credentials.toString('latin1')).not.toContain('secret');
    expect(() => openCredentials(harness.sealer, { ...other, credentials: row.credentials })).toThrow(
      expect.objectContaining({ name: 'SealBrokenError' }),
    );
  });

  it('are resealed with the newest encryption key, after which the older key can be removed', async () => {
    for (let at = 0; at < 20; at++) await make(`secret-${at}`);
    await harness.create(uuidv7(), place);
    const both = `${newer},${older}`;
    const reseal = () => new ResealWorker(sealedWith(both), silent).run();
    const counts = await Promise.all([reseal(), reseal()]);
    // Each is sealed once, although several workers run.
    expect(counts[0] + counts[1]).toBe(20);
    const opened = (await everyRow()).map((row) => openCredentials(new Sealer(newer), row));
    expect(
      new Set(opened.map((credentials) => credentials.kind === 'accessKey' && credentials.secret_access_key)),
    ).toStrictEqual(new Set(Array.from({ length: 20 }, (_, at) => `secret-${at}`)));
  });

  it('that can no longer be opened are reported, and do not prevent resealing of others', async () => {
    await make('lost');
    const [row] = await everyRow();
    if (!row) throw new Error('no row');
    await harness.sql('update connections set credentials = $1', [
      new Sealer(newKey()).seal('x', { tenantId: '', rowId: '', name: '' }),
    ]);
    await make('kept');
    expect(await new ResealWorker(sealedWith(`${newer},${older}`), silent).run()).toBe(1);
    const lost = await harness.connections.find(row.tenant_id, row.id);
    if (!lost) throw new Error('no lost');
    const buckets = new ConnectionBuckets(harness.opener, harness.sealer);
    await expect(buckets.open(lost, { requestTimeoutMs: 1_000 })).rejects.toMatchObject({
      code: 'not_configured',
      message: expect.stringMatching(/operator/),
    });
  });
});
