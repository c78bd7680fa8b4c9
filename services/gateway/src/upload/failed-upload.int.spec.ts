import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { conflict, filesOperations } from '@kiln/contracts';
import { assertStatus } from '@kiln/openapi-check/assert-status';
import { eventually } from '@kiln/testing';
import { GatewayProcess } from '../test/gateway-process.js';
import { bodyEnd, filePartHead, RawUpload } from '../test/raw-upload.js';
import { formOf, LIMIT_BYTES, MIB, UploadGateway } from '../test/upload-gateway.js';

describe('an upload that fails leaves nothing behind, and', () => {
  let gateway: UploadGateway;
  beforeAll(async () => {
    gateway = await UploadGateway.start();
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.stop());

  it('is 413 when it announces more bytes than a file may have, alone and in a batch', async () => {
    const post = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const response = await gateway.process.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
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
    expect(gateway.fakes.callsOf(filesOperations.createUpload)).toStrictEqual([]);
  });
  it('is 503 while the files service is gone for longer', async () => {
    await gateway.fakes.stop();
    await gateway.keepsNothing(async () => expect((await gateway.upload(formOf({}))).status).toBe(503));
    await gateway.fakes.start();
  });
  it('is 409 when the files service refuses it', async () => {
    const before = await gateway.objects();
    gateway.fakes.override(filesOperations.createFile, () => Promise.reject(conflict('taken')));
    expect((await gateway.upload(formOf({}))).status).toBe(409);
    expect(await gateway.objects()).toStrictEqual(before);
  });
  it('is refused when a field is wrong, before or after the file', async () => {
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
        await gateway.keepsNothing(async () => {
          const { status, body } = await gateway.upload(form);
          expect(status).toBe(400);
          expect(body['error'] ?? '').toMatch(message);
        });
      }
    }
  });
  it('is refused when it has no file, two files, or a file of another name', async () => {
    const none = new FormData();
    none.append('space', 'a');
    const text = new FormData();
    text.append('file', 'not a file part');
    const two = formOf({});
    two.append('file', new Blob(['again']), 'b.txt');
    const misnamed = new FormData();
    misnamed.append('document', new Blob(['x']), 'a.txt');
    for (const form of [none, text, two, misnamed]) {
      await gateway.keepsNothing(async () => expect((await gateway.upload(form)).status).toBe(400));
    }
  });
  it.each([
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
  ])('with a hostile file name is refused: %j', async (name) => {
    await gateway.keepsNothing(async () => {
      const raw = new RawUpload(gateway.url);
      await raw.send(filePartHead(name) + 'x' + bodyEnd);
      assertStatus(await raw.answer(), 400, name);
    });
  });

  it('is refused when it is not valid multipart', async () => {
    for (const body of ['', 'garbage', filePartHead('a') + 'never ends']) {
      await gateway.keepsNothing(async () => {
        const raw = new RawUpload(gateway.url);
        if (body) await raw.send(body);
        expect((await raw.answer()).status).toBe(400);
      });
    }
  });
  it('is cut off when the caller goes away half-way, early or late', async () => {
    for (const pieces of [0, 1, 20]) {
      await gateway.keepsNothing(async () => {
        const cutOffs = () => gateway.process.logs.filter((line) => line['status'] === 499).length;
        const before = cutOffs();
        const raw = new RawUpload(gateway.url);
        await raw.send(filePartHead('a.bin'));
        for (let piece = 0; piece < pieces; piece++) await raw.send(Buffer.alloc(MIB));
        raw.cutOff();
        await eventually(() => cutOffs() === before + 1);
      });
    }
  });
  it('is 413 when it is too large, announced or not', async () => {
    await gateway.keepsNothing(async () => {
      const raw = new RawUpload(gateway.url, { 'content-length': String(LIMIT_BYTES + 100 * MIB) });
      await raw.send(filePartHead('a.bin'));
      const { status, body } = await raw.answerNow();
      expect([status, body['code']]).toStrictEqual([413, 'PAYLOAD_TOO_LARGE']);
      raw.cutOff();
    });
    const small = await GatewayProcess.start(gateway.surroundings, { KILN_MAX_UPLOAD_BYTES: String(9 * MIB) });
    try {
      await gateway.keepsNothing(async () => {
        const raw = new RawUpload(small.url);
        await raw.send(filePartHead('a.bin'));
        for (let piece = 0; piece < 10; piece++) await raw.send(Buffer.alloc(MIB));
        expect((await raw.answer()).status).toBe(413);
        raw.cutOff();
      });
    } finally {
      await small.stop();
    }
  });
});
