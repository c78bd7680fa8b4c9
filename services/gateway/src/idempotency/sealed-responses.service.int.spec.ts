// Real: gateway processes, Postgres, NATS, Redis, object store. Faked: nothing; the endpoint under test asks no service.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, Sealer } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { randomBytes } from 'node:crypto';
import {
  ENCRYPTION_KEY,
  GatewayProcess,
  openDatabase,
  testSurroundings,
  type TestSurroundings,
} from '../test/gateway-process.js';
import { openResponse } from './sealed-responses.service.js';

const PATH = '/v1/org/api-keys';
const body = { name: 'ci' };
const newEncryptionKey = () => randomBytes(32).toString('base64');

interface Row {
  tenantId: string;
  route: string;
  keyHash: Buffer;
  answer: Buffer;
}

describe('answers kept for an Idempotency-Key', () => {
  let surroundings: TestSurroundings;
  let database: Database;
  let running: GatewayProcess | null = null;

  beforeAll(async () => {
    surroundings = await testSurroundings();
    database = await openDatabase(surroundings);
  });
  afterAll(async () => {
    await running?.stop();
    await database.close();
    await surroundings.close();
  });

  async function restart(encryptionKey: string): Promise<GatewayProcess> {
    await running?.stop();
    return (running = await GatewayProcess.start(surroundings, { KILN_ENCRYPTION_KEY: encryptionKey }));
  }

  async function rows(): Promise<Row[]> {
    const text = 'select tenant_id as "tenantId", route, key_hash as "keyHash", answer from idempotent_requests';
    return database.query<Row>({ name: '', text });
  }

  async function create(gateway: GatewayProcess, key: string) {
    const response = await gateway.post(PATH, body, { 'idempotency-key': key });
    const answer = (await response.json()) as { key?: string; error?: string };
    return { status: response.status, replayed: response.headers.get('idempotency-replayed'), answer };
  }

  const apiKeys = async () => (await database.query({ name: '', text: 'select from api_keys' })).length;

  it('open with the operator’s encryption key and with no other, however easy the Idempotency-Key is to guess', async () => {
    const { answer } = await create(await restart(ENCRYPTION_KEY), 'order-1');
    const [row] = await rows();
    if (!row || !answer.key) throw new Error('no row or key');
    expect(openResponse(new Sealer(ENCRYPTION_KEY), row, row.answer)?.text).toContain(answer.key);
    expect(openResponse(new Sealer(newEncryptionKey()), row, row.answer)).toBeNull();
    expect(row.answer.toString('latin1')).not.toContain(answer.key);
  });

  it('are sealed anew when the operator puts a newer key in front, after which the older one can be dropped', async () => {
    const first = await create(await restart(ENCRYPTION_KEY), 'order-2');
    const newer = newEncryptionKey();
    await restart(`${newer},${ENCRYPTION_KEY}`);
    const onlyNewer = new Sealer(newer);
    await eventually(async () => (await rows()).every((row) => openResponse(onlyNewer, row, row.answer) !== null));
    const repeat = await create(await restart(newer), 'order-2');
    expect(repeat).toStrictEqual({ ...first, replayed: 'true' });
    await restart(`${ENCRYPTION_KEY},${newer}`);
  });

  it('whose encryption key was lost are 409, and the work is not done again', async () => {
    await create(await restart(ENCRYPTION_KEY), 'order-3');
    const made = await apiKeys();
    const { status, answer } = await create(await restart(newEncryptionKey()), 'order-3');
    expect(status).toBe(409);
    expect(String(answer.error)).toMatch(/has been done, but its answer can no longer be read/);
    expect(await apiKeys()).toBe(made);
  });
});
