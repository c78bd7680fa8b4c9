// Real: two gateway processes, Postgres, NATS, Redis, object store. FAKES: the services (responders on the real bus, see
// test/fake-services.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import {
  connectionsOperations,
  encodeId,
  filesOperations,
  searchOperations,
  sourceKey,
  unavailable,
  uuidOf,
  webhooksOperations,
} from '@kiln/contracts';
import { assertStatus } from '@kiln/openapi-check/assert-status';
import { v7 as uuidv7 } from 'uuid';
import { hashOfKey } from './idempotency-key.domain.js';
import { exampleNode } from '../routes/nodes.examples.js';
import { bodyEnd, filePartHead, RawUpload } from '../test/raw-upload.js';
import { startFakes, type FakeServices } from '../test/fake-services.js';
import { GatewayProcess, openDatabase, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';

describe('POST with an Idempotency-Key, on two gateways', () => {
  let surroundings: TestSurroundings;
  let fakes: FakeServices;
  let first: GatewayProcess;
  let second: GatewayProcess;
  let keys = 0;
  const newKey = () => ({ 'idempotency-key': `order ${++keys}` });
  const body = { filename: 'a.txt', metadata: { a: '1', b: '2' } };

  beforeAll(async () => {
    surroundings = await testSurroundings();
    fakes = await startFakes(surroundings);
    [first, second] = await Promise.all([GatewayProcess.start(surroundings), GatewayProcess.start(surroundings)]);
  });
  beforeEach(() => fakes.reset());
  afterAll(async () => {
    await Promise.all([first.stop(), second.stop()]);
    await fakes.stop();
    await surroundings.close();
  });

  async function statusAndBody(response: Response): Promise<[number, Record<string, unknown>, string | null]> {
    const json = (await response.json()) as Record<string, unknown>;
    return [response.status, json, response.headers.get('idempotency-replayed')];
  }

  it('does the work once and gives the first answer again, wherever the repeat arrives', async () => {
    const key = newKey();
    const [status, created, fresh] = await statusAndBody(await first.post('/v1/upload', body, key));
    expect([status, fresh]).toStrictEqual([201, null]);
    const reordered = { metadata: { b: '2', a: '1' }, filename: 'a.txt' };
    for (const gateway of [first, second]) {
      const repeat = await statusAndBody(await gateway.post('/v1/upload', reordered, key));
      expect(repeat).toStrictEqual([201, created, 'true']);
    }
    expect(fakes.callsOf(filesOperations.createUpload)).toHaveLength(1);
  });

  it('refuses another body under the same key, and lets the same key stand for itself on another route', async () => {
    const key = newKey();
    expect((await first.post('/v1/upload', body, key)).status).toBe(201);
    const [status, { code }] = await statusAndBody(await second.post('/v1/upload', { filename: 'b.txt' }, key));
    expect([status, code]).toStrictEqual([409, 'CONFLICT']);
    expect((await second.post('/v1/search', { query: 'x' }, key)).status).toBe(200);
  });

  it('refuses a duplicate while the first request is running, on either gateway, and says when to try again', async () => {
    // On a busy machine the first request may reach its deadline.
    await eventually(async () => {
      const key = newKey();
      const search = (gateway: GatewayProcess) => gateway.post('/v1/search', { query: 'x' }, key);
      let answer = () => {};
      const asked = new Promise<void>((resolve) => {
        fakes.override(searchOperations.search, () => {
          resolve();
          return new Promise((done) => (answer = () => done({ results: [], total: 0, query: 'x', mode: 'text' })));
        });
      });
      const slow = search(first);
      await Promise.race([asked, slow]);
      try {
        for (const gateway of [first, second]) {
          const { status, headers } = await search(gateway);
          expect([status, headers.get('retry-after')]).toStrictEqual([409, '2']);
        }
      } finally {
        answer();
      }
      expect((await slow).status).toBe(200);
      const [status, , replayed] = await statusAndBody(await search(second));
      expect([status, replayed]).toStrictEqual([200, 'true']);
    });
  });

  it('keeps no 400 and no 5xx: the corrected or repeated request is done under the same key', async () => {
    const key = newKey();
    expect((await first.post('/v1/upload', { filename: 7 }, key)).status).toBe(400);
    fakes.override(filesOperations.createUpload, () => Promise.reject(unavailable('The files service')));
    expect((await first.post('/v1/upload', body, key)).status).toBe(503);
    fakes.reset();
    const [status, , replayed] = await statusAndBody(await second.post('/v1/upload', body, key));
    expect([status, replayed]).toStrictEqual([201, null]);
  });

  it('compares an upload by its fields and the bytes of its file, not by the bytes of its body', async () => {
    const key = newKey();
    const form = (content: string, space: string) => {
      const data = new FormData(); // Makes a new boundary each time.
      data.append('file', new Blob([content]), 'a.txt');
      data.append('space', space);
      return { method: 'POST', body: data, headers: key };
    };
    const [status, created] = await statusAndBody(await first.fetch('/v1/upload', form('bytes', 'one')));
    expect(status).toBe(201);
    const repeat = await statusAndBody(await second.fetch('/v1/upload', form('bytes', 'one')));
    expect(repeat).toStrictEqual([201, created, 'true']);
    expect((await second.fetch('/v1/upload', form('bytez', 'one'))).status).toBe(409);
    expect((await second.fetch('/v1/upload', form('bytes', 'two'))).status).toBe(409);
    const [call, ...others] = fakes.callsOf(filesOperations.createFile);
    expect(others).toHaveLength(0);
    expect((await surroundings.store.list(`${call?.context.tenantId}/`)).objects.length).toBe(1);
  });

  it('makes one file and one job, however often it is repeated after the first answer was lost', async () => {
    for (const [path, sent, operation] of [
      ['/v1/upload', body, filesOperations.createUpload],
      ['/v1/files', { filename: 'a.txt' }, filesOperations.createUpload],
      ['/v1/upload/batch', { files: [body, { filename: 'b.txt' }] }, filesOperations.createUploads],
    ] as const) {
      const key = newKey();
      fakes.reset();
      fakes.override(operation, () => Promise.reject(unavailable('The files service')));
      expect((await first.post(path, sent, key)).status).toBe(503);
      const [lost] = fakes.callsOf(operation);
      fakes.reset();
      expect((await second.post(path, sent, key)).status).toBe(201);
      const [repeated, ...others] = fakes.callsOf(operation);
      expect(others).toHaveLength(0);
      expect(repeated?.input).toStrictEqual(lost?.input);
      fakes.reset();
      expect((await second.post(path, sent, newKey())).status).toBe(201);
      expect(fakes.callsOf(operation)[0]?.input).not.toStrictEqual(lost?.input);
    }
  });

  it('names the same job, batch, webhook, connection or sync again after the first answer was lost', async () => {
    const file_ids = [encodeId('file', uuidv7()), encodeId('file', uuidv7())];
    const connection_id = encodeId('connection', uuidv7());
    const place = { provider: 's3', name: 'Documents', bucket: 'acme-documents' };
    const { path, name, size_bytes, etag, content_type } = exampleNode;
    const committed = { node_id: exampleNode.id, connection_id, path, name, size_bytes, etag, content_type };
    for (const [route, sent, operation] of [
      [`/v1/files/${file_ids[0]}/process`, {}, filesOperations.processFiles],
      ['/v1/files/process-batch', { file_ids }, filesOperations.processFiles],
      ['/v1/files/process-batch', { connection_id }, filesOperations.processConnection],
      ['/v1/nodes/upload/commit', { node_id: exampleNode.id }, filesOperations.processNode],
      ['/v1/webhooks', { url: 'https://example.com/hook', events: ['*'] }, webhooksOperations.createWebhook],
      ['/v1/connections', place, connectionsOperations.createConnection],
      [`/v1/connections/${connection_id}/sync`, {}, connectionsOperations.startSync],
    ] as const) {
      const inputWith = async (gateway: GatewayProcess, key: Record<string, string>) => {
        fakes.reset();
        fakes.override(connectionsOperations.commitNodeUpload, () => Promise.resolve(committed));
        fakes.override(operation, () => Promise.reject(unavailable('The service')));
        const response = await gateway.post(route, sent, key);
        assertStatus({ status: response.status, body: await response.json() }, 503, route);
        return fakes.callsOf(operation)[0]?.input;
      };
      const key = newKey();
      const lost = await inputWith(first, key);
      expect(await inputWith(second, key)).toStrictEqual(lost);
      expect(await inputWith(second, newKey())).not.toStrictEqual(lost);
    }
  });

  it.each([
    [
      'a multipart upload',
      (content: string, headers: Record<string, string>) => {
        const data = new FormData();
        data.append('file', new Blob([content]), 'a.txt');
        return first.fetch('/v1/upload', { method: 'POST', body: data, headers });
      },
    ],
    [
      'a text',
      (content: string, headers: Record<string, string>) =>
        first.post('/v1/files', { filename: 'a.txt', content }, headers),
    ],
  ])('makes one file of %s whose answer was lost, and neither replaces nor removes its bytes', async (_, send) => {
    const key = newKey();
    const upload = (content: string) => send(content, key);
    fakes.override(filesOperations.createFile, () => Promise.reject(new Error('committed, and then it died')));
    expect((await upload('bytes')).status).toBe(500);
    const [lost] = fakes.callsOf(filesOperations.createFile);
    if (!lost) throw new Error('nothing was registered');
    const {
      file_id: id,
      sha256,
      size_bytes,
      content_type = null,
      job_id,
      space = 'default',
      filename,
      metadata = {},
    } = lost.input;
    const times = { created_at: '2026-11-21 09:30:00', updated_at: '2026-11-21 09:30:00' };
    const about = { id, sha256, size_bytes, content_type, job_id, space, filename, metadata };
    fakes.reset();
    fakes.files.set(id, { ...about, ...times, external_id: null, status: 'uploaded', variants: [] });
    const objects = async () => (await surroundings.store.list(`${lost.context.tenantId}/`)).objects;
    const stored = await objects();
    expect((await upload('other')).status).toBe(409);
    expect(await objects()).toStrictEqual(stored);
    const { status, body: answer } = await upload('bytes').then(async (response) => ({
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
    }));
    expect([status, answer['id'], answer['job_id']]).toStrictEqual([201, id, job_id]);
    expect(await objects()).toStrictEqual(stored);
  });

  it('wants 1 to 255 characters', async () => {
    for (const wrong of ['', 'x'.repeat(256)]) {
      const [status, { error }] = await statusAndBody(
        await first.post('/v1/upload', body, { 'idempotency-key': wrong }),
      );
      expect(status).toBe(400);
      expect(String(error)).toMatch(/^Idempotency-Key /);
    }
    expect((await first.post('/v1/upload', body, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(201);
  });

  it('keeps the bytes of the repeat when the first request, whose lease has expired, is cut off', async () => {
    const key = newKey();
    const slow = await GatewayProcess.start(surroundings);
    const upload = new RawUpload(slow.url, key);
    await upload.send(`${filePartHead('a.txt', 'text/plain')}hell`);
    // A body that stands still for 20 s is refused.
    upload.keepSending();
    // On a busy machine the repeat might be the first to get the key.
    await eventually(async () => expect(await rowsOf(key)).toHaveLength(1));
    const { id, tenantId } = await eventually(async () => {
      // The first request extends its lease until the repeat takes it over.
      await passMinute();
      const repeat = new RawUpload(second.url, key);
      const { status, body: file } = await repeat.answer(`${filePartHead('a.txt', 'text/plain')}hello${bodyEnd}`);
      expect(status).toBe(201);
      const [call] = fakes.callsOf(filesOperations.createFile);
      return { id: file['id'] as string, tenantId: call?.context.tenantId ?? '' };
    });
    upload.cutOff();
    await eventually(() => expect(slow.logs.filter(({ status }) => status === 499)).toHaveLength(1));
    await slow.stop();
    expect(await surroundings.store.head(sourceKey(tenantId, uuidOf('file', id)))).toMatchObject({ sizeBytes: 5 });
  });

  it('is free again within a minute when the process of the first was killed', async () => {
    // On a busy machine the first request may reach its deadline before the process is killed.
    await eventually(async () => {
      const key = newKey();
      const doomed = await GatewayProcess.start(surroundings);
      const asked = new Promise<void>((resolve) => {
        fakes.override(filesOperations.createUpload, () => {
          resolve();
          return new Promise(() => {});
        });
      });
      const lost = doomed.post('/v1/upload', body, key).catch(() => undefined);
      await Promise.race([asked, lost]);
      const ended = doomed.ended();
      doomed.child.kill('SIGKILL');
      await Promise.all([lost, ended]);
      fakes.reset();
      // On a busy machine the lease may end before the next request.
      await extendLeases(1);
      expect((await first.post('/v1/upload', body, key)).status).toBe(409);
      await extendLeases(-2);
      expect((await first.post('/v1/upload', body, key)).status).toBe(201);
    });
  });

  /** Lets a minute pass for the leases in the database. */
  const passMinute = () => extendLeases(-1);

  async function extendLeases(minutes: number): Promise<void> {
    await query(`update idempotent_requests set lease_expires_at = lease_expires_at + interval '${minutes} minute'`);
  }

  const rowsOf = ({ 'idempotency-key': key }: { 'idempotency-key': string }) =>
    query('select 1 from idempotent_requests where key_hash = $1', [hashOfKey(key)]);

  async function query(text: string, values: unknown[] = []): Promise<object[]> {
    const database = await openDatabase(surroundings);
    return database.query({ name: '', text }, values).finally(() => database.close());
  }
});
