// Real: gateway process, Postgres, NATS, Redis, object store. FAKES: the files and jobs services (responders on the real
// bus, see test/fake-services.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { conflict, filesOperations, jobsOperations, sourceKey, uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { assertStatus } from '@kiln/openapi-check/assert-status';
import { createHash } from 'node:crypto';
import { FakeServices } from '../test/fake-services.js';
import { GatewayProcess, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';
import { bodyEnd, fieldPart, filePartHead, RawUpload } from '../test/raw-upload.js';

const MIB = 1024 * 1024;
const LIMIT_BYTES = 300 * MIB;

describe('an upload', () => {
  let surroundings: TestSurroundings;
  let fakes: FakeServices;
  let gateway: GatewayProcess;
  let tenantId = '';

  beforeAll(async () => {
    surroundings = await testSurroundings();
    fakes = new FakeServices(surroundings.infrastructure.natsUrl, surroundings.namespace);
    await fakes.start();
    gateway = await GatewayProcess.start(surroundings, { KILN_MAX_UPLOAD_BYTES: String(LIMIT_BYTES) });
    await gateway.fetch('/v1/files');
    tenantId = fakes.calls[0]?.context.tenantId ?? '';
    expect(tenantId).not.toBe('');
  });
  beforeEach(() => fakes.reset());
  afterAll(async () => {
    await gateway.stop();
    await fakes.stop();
    await surroundings.store.deletePrefix(`${tenantId}/`);
    surroundings.store.close();
    await surroundings.database.drop();
  });

  async function upload(form: FormData) {
    const response = await gateway.fetch('/v1/upload', { method: 'POST', body: form });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }

  function formOf(fields: Record<string, string>, content: string | Buffer = 'hello', filename = 'a.txt'): FormData {
    const form = new FormData();
    form.append('file', new Blob([content]), filename);
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return form;
  }

  /** The object's bytes, or null. */
  async function objectOf(fileId: string): Promise<Buffer | null> {
    const key = sourceKey(tenantId, uuidOf('file', fileId));
    if (!(await surroundings.store.head(key))) return null;
    const pieces: Buffer[] = [];
    for await (const piece of (await surroundings.store.get(key)).body) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  }

  const objects = async () => (await surroundings.store.list(`${tenantId}/`)).objects.map(({ key }) => key);

  /** `attempt` leaves neither an object nor a row. */
  async function keepsNothing(attempt: () => Promise<unknown>): Promise<void> {
    const before = await objects();
    await attempt();
    await eventually(async () => expect(await objects()).toStrictEqual(before));
    expect(fakes.callsOf(filesOperations.createFile)).toStrictEqual([]);
  }

  it('that claims more bytes than a file may have is 413, alone and in a batch, and nothing is registered', async () => {
    const post = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const response = await gateway.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as { error?: string; files?: unknown[] } };
    };
    for (const size_bytes of [LIMIT_BYTES + 1, Number.MAX_SAFE_INTEGER]) {
      const large = { filename: 'a.txt', size_bytes };
      for (const [path, sent] of [
        ['/v1/upload', large],
        ['/v1/files', large],
        ['/v1/upload/batch', { files: [large, large] }],
      ] as const) {
        const answer = await post(path, sent);
        assertStatus(answer, 413, path);
        expect(answer.body.error ?? '').toMatch(/size_bytes: A file may have at most/);
      }
      const mixed = await post('/v1/upload/batch', { files: [large, { filename: 'b.txt', size_bytes: LIMIT_BYTES }] });
      expect(mixed.status).toBe(201);
      const [refused] = mixed.body.files as { error?: { code: string } }[];
      expect(refused?.error?.code).toBe('PAYLOAD_TOO_LARGE');
    }
    expect(fakes.callsOf(filesOperations.createUpload)).toStrictEqual([]);
  });

  it('stores the bytes, measures them, tells their true type, and registers file and job', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(100_000, 'x')]);
    const { status, body } = await upload(
      formOf(
        { space: 'legal', metadata: '{"a":"b"}', variants: '["markdown"]', content_type: 'text/plain' },
        bytes,
        'süß 文.pdf',
      ),
    );
    expect(status).toBe(201);
    expect(body).toStrictEqual({
      id: body['id'],
      space: 'legal',
      filename: 'süß 文.pdf',
      content_type: 'application/pdf',
      size_bytes: bytes.length,
      storage_key: `legal/${body['id']}/süß 文.pdf`,
      status: 'uploaded',
      job_id: body['job_id'],
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect((await objectOf(body['id'] ?? ''))?.equals(bytes)).toBe(true);
    const [call] = fakes.callsOf(filesOperations.createFile);
    expect(call?.input.sha256).toBe(body['sha256']);
    expect(call?.input.metadata).toStrictEqual({ a: 'b' });
    const [job] = fakes.callsOf(jobsOperations.createJobs)[0]?.input.jobs ?? [];
    expect([job?.ready, job?.processing]).toStrictEqual([true, { variants: ['markdown'] }]);
    expect((await gateway.fetch(`/v1/jobs/${body['job_id']}`)).status).toBe(200);
  });

  it('takes an empty file', async () => {
    const { status, body } = await upload(formOf({}, ''));
    expect([status, body['size_bytes']]).toStrictEqual([201, 0]);
    expect((await objectOf(body['id'] ?? ''))?.length).toBe(0);
  });

  it('as JSON registers the file and hands on the signed URL; its job is not ready yet', async () => {
    const response = await gateway.post('/v1/upload', { filename: 'later.pdf', metadata: { a: 'b' } });
    const body = (await response.json()) as Record<string, unknown>;
    expect(response.status).toBe(201);
    expect([body['status'], body['upload_method'], body['expires_in']]).toStrictEqual(['uploading', 'PUT', 3600]);
    expect(fakes.callsOf(jobsOperations.createJobs)[0]?.input.jobs[0]?.ready).toBe(false);
  });

  it('makes no job when processing is skipped', async () => {
    const { body } = await upload(formOf({ skip_processing: 'true' }));
    expect(body['job_id']).toBeNull();
    await gateway.post('/v1/upload', { filename: 'a', skip_processing: true });
    expect(fakes.callsOf(jobsOperations.createJobs)).toStrictEqual([]);
  });

  it('succeeds although the jobs service cannot be asked: the event makes the job', async () => {
    fakes.override(jobsOperations.createJobs, () => Promise.reject(new Error('down')));
    expect((await upload(formOf({}))).status).toBe(201);
  });

  it('survives a short absence of the files service', async () => {
    await fakes.stop();
    const answered = upload(formOf({}));
    await fakes.start();
    expect((await answered).status).toBe(201);
  });

  it('is 503 while the files service is gone for longer, and leaves no object', async () => {
    await fakes.stop();
    await keepsNothing(async () => expect((await upload(formOf({}))).status).toBe(503));
    await fakes.start();
  });

  it('leaves no object when the files service refuses it', async () => {
    const before = await objects();
    fakes.override(filesOperations.createFile, () => Promise.reject(conflict('taken')));
    expect((await upload(formOf({}))).status).toBe(409);
    expect(await objects()).toStrictEqual(before);
  });

  it('keeps the object when the files service may have registered it before it broke', async () => {
    const before = await objects();
    fakes.override(filesOperations.createFile, () => Promise.reject(new Error('broke after commit')));
    expect((await upload(formOf({}))).status).toBe(500);
    expect(await objects()).toHaveLength(before.length + 1);
  });

  it('is refused with nothing kept when a field is wrong, before or after the file', async () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ metadata: '{' }, /^metadata must be JSON/],
      [{ metadata: '{"a":{}}' }, /^metadata\.a /],
      [{ space: '../x' }, /^space /],
      [{ chunking: '{"chunk_size":5}' }, /^chunking\.chunk_size /],
      [{ skip_processing: 'maybe' }, /^skip_processing /],
      [{ size_bytes: '-1' }, /^size_bytes /],
      [{ filename: 'a/b' }, /^filename /],
    ];
    for (const [fields, message] of wrong) {
      const first = new FormData();
      for (const [name, value] of Object.entries(fields)) first.append(name, value);
      first.append('file', new Blob(['hello']), 'a.txt');
      for (const form of [first, formOf(fields)]) {
        await keepsNothing(async () => {
          const { status, body } = await upload(form);
          expect(status).toBe(400);
          expect(body['error'] ?? '').toMatch(message);
        });
      }
    }
  });

  it('is refused with nothing kept when it has no file, two files, or a file of another name', async () => {
    const none = new FormData();
    none.append('space', 'a');
    const text = new FormData();
    text.append('file', 'not a file part');
    const two = formOf({});
    two.append('file', new Blob(['again']), 'b.txt');
    const misnamed = new FormData();
    misnamed.append('document', new Blob(['x']), 'a.txt');
    for (const form of [none, text, two, misnamed]) {
      await keepsNothing(async () => expect((await upload(form)).status).toBe(400));
    }
  });

  it('refuses hostile file names with nothing kept, and keeps odd ones as they are', async () => {
    for (const name of [
      '../../etc/passwd',
      '/etc/passwd',
      '..',
      '.',
      'a\\b',
      'C:\\x',
      'a\u0000b',
      'a\u0085b',
      'ü'.repeat(128),
      'a\tb',
    ]) {
      await keepsNothing(async () => {
        const raw = new RawUpload(gateway.url);
        await raw.send(filePartHead(name) + 'x' + bodyEnd);
        assertStatus(await raw.answer(), 400, name);
      });
    }
    for (const name of [
      '…',
      'a..b',
      '.hidden',
      ' ',
      '%2e%2e%2f',
      '<script>',
      "a'; drop table files;--",
      '\u202egnp.exe',
      'x'.repeat(255),
    ]) {
      const raw = new RawUpload(gateway.url);
      await raw.send(filePartHead(name) + 'x' + bodyEnd);
      const { status, body } = await raw.answer();
      expect([status, body['filename']]).toStrictEqual([201, name]);
    }
  });

  it('is refused as malformed when it is not multipart in truth', async () => {
    for (const body of ['', 'garbage', filePartHead('a') + 'never ends']) {
      await keepsNothing(async () => {
        const raw = new RawUpload(gateway.url);
        if (body) await raw.send(body);
        expect((await raw.answer()).status).toBe(400);
      });
    }
  });

  it('leaves nothing when the caller goes away half-way, early or late', async () => {
    for (const pieces of [0, 1, 20]) {
      await keepsNothing(async () => {
        const cutOffs = () => gateway.logs.filter((line) => line['status'] === 499).length;
        const before = cutOffs();
        const raw = new RawUpload(gateway.url);
        await raw.send(filePartHead('a.bin'));
        for (let piece = 0; piece < pieces; piece++) await raw.send(Buffer.alloc(MIB));
        raw.cutOff();
        await eventually(() => cutOffs() === before + 1);
      });
    }
  });

  it('is 413 with nothing kept when it is too large, announced or not', async () => {
    await keepsNothing(async () => {
      const raw = new RawUpload(gateway.url, { 'content-length': String(LIMIT_BYTES + 100 * MIB) });
      await raw.send(filePartHead('a.bin'));
      const { status, body } = await raw.answerNow();
      expect([status, body['code']]).toStrictEqual([413, 'PAYLOAD_TOO_LARGE']);
    });
    const small = await GatewayProcess.start(surroundings, { KILN_MAX_UPLOAD_BYTES: String(9 * MIB) });
    try {
      await keepsNothing(async () => {
        const raw = new RawUpload(small.url);
        await raw.send(filePartHead('a.bin'));
        for (let piece = 0; piece < 10; piece++) await raw.send(Buffer.alloc(MIB));
        expect((await raw.answer()).status).toBe(413);
      });
    } finally {
      await small.stop();
    }
  });

  it('of 200 MB takes constant memory: the process grows by less than 100 MB', async () => {
    await upload(formOf({}, Buffer.alloc(20 * MIB))); // Everything that is loaded once is loaded.
    const rssBytes = async () => {
      const metrics = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
      return Number(/^process_resident_memory_bytes\{.*\} (\d+)/m.exec(metrics)?.[1]);
    };
    const before = await rssBytes();
    let highest = before;
    const raw = new RawUpload(gateway.url);
    await raw.send(fieldPart('space', 'large') + filePartHead('large.bin'));
    const piece = Buffer.alloc(MIB, 7);
    const hash = createHash('sha256');
    for (let sent = 0; sent < 200; sent++) {
      await raw.send(piece);
      hash.update(piece);
      if (sent % 10 === 9) highest = Math.max(highest, await rssBytes());
    }
    await raw.send(bodyEnd);
    const { status, body } = await raw.answer();
    expect([status, body['size_bytes']]).toStrictEqual([201, 200 * MIB]);
    expect(fakes.callsOf(filesOperations.createFile).at(-1)?.input.sha256).toBe(hash.digest('hex'));
    expect(highest - before).toBeLessThan(100 * MIB);
  });
});
