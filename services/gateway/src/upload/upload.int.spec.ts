import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { filesOperations, jobsOperations } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { createHash } from 'node:crypto';
import { bodyEnd, fieldPart, filePartHead, RawUpload } from '../test/raw-upload.js';
import { formOf, MIB, UploadGateway } from '../test/upload-gateway.js';

describe('an upload', () => {
  let gateway: UploadGateway;
  beforeAll(async () => {
    gateway = await UploadGateway.start();
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.stop());

  it('stores the bytes, measures them, tells their true type, and registers file and job', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(100_000, 'x')]);
    const { status, body } = await gateway.upload(
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
      external_id: null,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect((await gateway.objectOf(body['id'] ?? ''))?.equals(bytes)).toBe(true);
    const [call] = gateway.fakes.callsOf(filesOperations.createFile);
    expect(call?.input.sha256).toBe(body['sha256']);
    expect(call?.input.metadata).toStrictEqual({ a: 'b' });
    const [job] = gateway.fakes.callsOf(jobsOperations.createJobs)[0]?.input.jobs ?? [];
    expect([job?.ready, job?.processing]).toStrictEqual([true, { variants: ['markdown'] }]);
    expect((await gateway.process.fetch(`/v1/jobs/${body['job_id']}`)).status).toBe(200);
  });

  it('takes an empty file', async () => {
    const { status, body } = await gateway.upload(formOf({}, ''));
    expect([status, body['size_bytes']]).toStrictEqual([201, 0]);
    expect((await gateway.objectOf(body['id'] ?? ''))?.length).toBe(0);
  });

  it('as JSON registers the file and hands on the signed URL; its job is not ready yet', async () => {
    const response = await gateway.process.post('/v1/upload', { filename: 'later.pdf', metadata: { a: 'b' } });
    const body = (await response.json()) as Record<string, unknown>;
    expect(response.status).toBe(201);
    expect([body['status'], body['upload_method'], body['expires_in']]).toStrictEqual(['uploading', 'PUT', 3600]);
    expect(gateway.fakes.callsOf(jobsOperations.createJobs)[0]?.input.jobs[0]?.ready).toBe(false);
  });

  it('makes no job when processing is skipped', async () => {
    const { body } = await gateway.upload(formOf({ skip_processing: 'true' }));
    expect(body['job_id']).toBeNull();
    await gateway.process.post('/v1/upload', { filename: 'a', skip_processing: true });
    expect(gateway.fakes.callsOf(jobsOperations.createJobs)).toStrictEqual([]);
  });

  it('succeeds although the jobs service cannot be asked: the event makes the job', async () => {
    gateway.fakes.override(jobsOperations.createJobs, () => Promise.reject(new Error('down')));
    expect((await gateway.upload(formOf({}))).status).toBe(201);
  });

  it('survives a short absence of the files service', async () => {
    // On a busy machine the service may come back when the gateway has given up.
    await eventually(async () => {
      const stored = (await gateway.objects()).length;
      await gateway.fakes.stop();
      const answered = gateway.upload(formOf({}));
      // The gateway registers the file when it has stored the bytes.
      await eventually(async () => (await gateway.objects()).length > stored);
      await gateway.fakes.start();
      expect((await answered).status).toBe(201);
    });
  });

  it('keeps the object when the files service may have registered it before it broke', async () => {
    const before = await gateway.objects();
    gateway.fakes.override(filesOperations.createFile, () => Promise.reject(new Error('broke after commit')));
    expect((await gateway.upload(formOf({}))).status).toBe(500);
    expect(await gateway.objects()).toHaveLength(before.length + 1);
  });

  it.each([
    '…',
    'a..b',
    '.hidden',
    ' ',
    '%2e%2e%2f',
    '<script>',
    "a'; drop table files;--",
    '\u202egnp.exe',
    'x'.repeat(255),
  ])('keeps an odd file name as it is: %j', async (name) => {
    const raw = new RawUpload(gateway.url);
    await raw.send(filePartHead(name) + 'x' + bodyEnd);
    const { status, body } = await raw.answer();
    expect([status, body['filename']]).toStrictEqual([201, name]);
  });

  it('of 40 MiB in pieces of unknown number is stored with its size and hash', async () => {
    const raw = new RawUpload(gateway.url);
    await raw.send(fieldPart('space', 'large') + filePartHead('large.bin'));
    const piece = Buffer.alloc(MIB, 7);
    const hash = createHash('sha256');
    for (let sent = 0; sent < 40; sent++) {
      await raw.send(piece);
      hash.update(piece);
    }
    await raw.send(bodyEnd);
    const { status, body } = await raw.answer();
    expect([status, body['size_bytes']]).toStrictEqual([201, 40 * MIB]);
    expect(gateway.fakes.callsOf(filesOperations.createFile).at(-1)?.input.sha256).toBe(hash.digest('hex'));
  });
});
