// Real: two gateway processes, Postgres, NATS, Redis, object store. FAKES: the services (see test/fake-services.ts); the jobs
// service refuses pages on request.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, encodeId, filesOperations, jobsOperations, type Operation } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { assertStatus } from '@kiln/openapi-check/assert-status';
import { GatewayWithKeys } from '../test/gateway-with-keys.js';
import { bodyEnd, fieldPart, filePartHead, RawUpload } from '../test/raw-upload.js';

const REFUSAL = 'The plan’s limit is reached. It resets soon.';

describe('the quota at the gateway', () => {
  let served: GatewayWithKeys;
  let keys: Record<'free' | 'freeTest' | 'pro', string>;
  beforeAll(async () => {
    served = await GatewayWithKeys.start({ KILN_PLAN_PAGES: 'free=7:stop' });
    const free = (await served.organizations.create('Free', 'free')).id;
    const pro = (await served.organizations.create('Pro', 'pro')).id;
    keys = {
      free: (await served.newKey({ organizationId: free })).value,
      freeTest: (await served.newKey({ organizationId: free, mode: 'test' })).value,
      pro: (await served.newKey({ organizationId: pro })).value,
    };
  });
  beforeEach(() => served.fakes.reset());
  afterAll(() => served.stop());

  type Who = keyof typeof keys;
  const authorization = (who: Who) => `ApiKey ${keys[who]}`;
  async function post(path: string, body: unknown, who: Who = 'free', headers: Record<string, string> = {}) {
    const response = await served.first.post(path, body, { authorization: authorization(who), ...headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  const multipart = async (parts: string[], who: Who = 'free') => {
    const upload = new RawUpload(served.first.url, { authorization: authorization(who) });
    for (const part of parts) await upload.send(part);
    await upload.send(bodyEnd);
    return upload.answer();
  };
  const file = `${filePartHead('a.txt', 'text/plain')}some text\r\n`;
  const fieldLater = (name: string, value: string) => fieldPart(name, value).slice(0, -2);
  const refuse = () =>
    served.fakes.override(jobsOperations.reservePages, () => Promise.reject(new CodedError('QUOTA_EXCEEDED', REFUSAL)));
  const calls = (operation: Operation) => served.fakes.callsOf(operation).length;
  const created = () =>
    [
      filesOperations.createFile,
      filesOperations.createUpload,
      filesOperations.createUploads,
      filesOperations.processFiles,
    ]
      .map(calls)
      .concat(calls(jobsOperations.createJobs), calls(jobsOperations.retryJob))
      .reduce((sum, count) => sum + count);
  const fileId = encodeId('file', uuidv7());
  const work: [path: string, body: unknown, jobs: number][] = [
    ['/v1/upload', { filename: 'a.txt' }, 1],
    ['/v1/files', { filename: 'a.txt' }, 1],
    [
      '/v1/upload/batch',
      { files: [{ filename: 'a' }, { filename: 'b', skip_processing: true }, { filename: 'c' }] },
      2,
    ],
    [`/v1/files/${fileId}/process`, {}, 1],
    ['/v1/files/process-batch', { file_ids: [fileId, encodeId('file', uuidv7()), 'file_x'] }, 2],
    [`/v1/jobs/${encodeId('job', uuidv7())}/retry`, undefined, 1],
  ];

  it('is asked before any work is accepted, for as many pages as there are jobs, and its refusal is 402 that says why', async () => {
    refuse();
    for (const [path, body, jobs] of work) {
      const answer = await post(path, body);
      assertStatus(answer, 402, path);
      expect([answer.body['code'], answer.body['error']]).toStrictEqual(['QUOTA_EXCEEDED', REFUSAL]);
      const { input } = served.fakes.callsOf(jobsOperations.reservePages).at(-1) ?? {};
      expect({ path, jobs: input?.jobs.length, limit: input?.pages_limit }).toStrictEqual({ path, jobs, limit: 7 });
    }
    expect(created()).toBe(0);
  });

  it('a multipart upload is refused before its bytes are read: the answer comes while they are still to be sent', async () => {
    refuse();
    const upload = new RawUpload(served.first.url, { authorization: authorization('free') });
    await upload.send(filePartHead('large.bin') + 'the first of many');
    const { status, body } = await upload.answerNow();
    upload.cutOff();
    expect([status, body['code']]).toStrictEqual([402, 'QUOTA_EXCEEDED']);
    expect(created()).toBe(0);
  });

  it('costs other plans, test mode and uploads that skip processing no question', async () => {
    refuse();
    for (const [path, body] of work.slice(0, 3)) {
      assertStatus(await post(path, body, 'pro'), 201, `${path} on plan pro`);
      assertStatus(await post(path, body, 'freeTest'), 201, `${path} in test mode`);
    }
    expect((await post('/v1/upload', { filename: 'a', skip_processing: true })).status).toBe(201);
    expect((await multipart([fieldPart('skip_processing', 'true'), file])).status).toBe(201);
    expect(calls(jobsOperations.reservePages)).toBe(0);
  });

  it('receives what is known of each file: the declared size and type, and those measured for a multipart upload', async () => {
    const asked = () => served.fakes.callsOf(jobsOperations.reservePages).map(({ input }) => input.jobs);
    const known = { content_type: 'text/plain', size_bytes: 9_000 };
    expect((await post('/v1/upload', { filename: 'a.txt', ...known })).status).toBe(201);
    expect((await post('/v1/upload/batch', { files: [{ filename: 'a.txt', ...known }] })).status).toBe(201);
    expect(asked().map(([job]) => ({ content_type: job?.content_type, size_bytes: job?.size_bytes }))).toStrictEqual([
      known,
      known,
    ]);
    expect((await multipart([file])).status).toBe(201);
    const [before, after] = asked().slice(2);
    expect(before).toStrictEqual([{ id: before?.[0]?.id }]);
    expect(after).toStrictEqual([
      { id: before?.[0]?.id, content_type: 'text/plain', size_bytes: 'some text\r\n'.length },
    ]);
  });

  it('a multipart upload that has too many pages is refused, and keeps neither file nor pages', async () => {
    served.fakes.override(jobsOperations.reservePages, () => {
      const { jobs = [] } = served.fakes.callsOf(jobsOperations.reservePages).at(-1)?.input ?? {};
      if (jobs[0]?.size_bytes != null) return Promise.reject(new CodedError('QUOTA_EXCEEDED', REFUSAL));
      return Promise.resolve({ reserved: jobs.map(({ id }) => id), lease_seconds: 900 });
    });
    const answer = await multipart([file]);
    expect([answer.status, answer.body['code'], created()]).toStrictEqual([402, 'QUOTA_EXCEEDED', 0]);
    expect(calls(jobsOperations.releasePages)).toBe(1);
  });

  it('what comes to nothing gives its pages back: a bad field, an unknown file, a job that is not failed', async () => {
    const released = () => served.fakes.callsOf(jobsOperations.releasePages).flatMap(({ input }) => input.job_ids);
    const reserved = () =>
      served.fakes.callsOf(jobsOperations.reservePages).flatMap(({ input }) => input.jobs.map(({ id }) => id));
    expect((await multipart([file, fieldLater('space', 'not a space')])).status).toBe(400);
    expect((await multipart([file, fieldLater('skip_processing', 'true')])).status).toBe(201);
    expect((await post(`/v1/files/${fileId}/process`, {})).status).toBe(404);
    expect((await post('/v1/files/process-batch', { file_ids: [fileId] })).status).toBe(201);
    expect((await post(`/v1/jobs/${encodeId('job', uuidv7())}/retry`, undefined)).status).toBe(404);
    expect(reserved()).toHaveLength(5);
    expect(released()).toStrictEqual(reserved());
  });

  it('what was accepted, or may have been, keeps its pages', async () => {
    expect((await multipart([file])).status).toBe(201);
    expect((await post('/v1/upload', { filename: 'a' })).status).toBe(201);
    served.fakes.override(filesOperations.createUpload, () => Promise.reject(new Error('died after it had committed')));
    expect((await post('/v1/upload', { filename: 'a' })).status).toBeGreaterThanOrEqual(500);
    expect(calls(jobsOperations.reservePages)).toBe(4);
    expect(calls(jobsOperations.releasePages)).toBe(0);
  });

  it('a refusal is not kept for an Idempotency-Key: the same request goes through once there is room', async () => {
    refuse();
    const headers = { 'idempotency-key': 'once' };
    expect((await post('/v1/upload', { filename: 'a' }, 'free', headers)).status).toBe(402);
    served.fakes.reset();
    expect((await post('/v1/upload', { filename: 'a' }, 'free', headers)).status).toBe(201);
  });

  it('usage is compared with the plan, and reports what exceeds it as overage, to test keys as well', async () => {
    const usage = async (who: Who, pages_used: number) => {
      served.fakes.override(jobsOperations.getUsage, () => Promise.resolve({ period: '2026-11', pages_used }));
      const response = await served.first.fetch('/v1/org/usage', { headers: { authorization: authorization(who) } });
      return response.json();
    };
    const free = { period: '2026-11', pages_limit: 7, plan: 'free' };
    expect(await usage('free', 6.6)).toStrictEqual({ ...free, pages_used: 6.6, overage_pages: 0 });
    expect(await usage('freeTest', 7.6)).toStrictEqual({ ...free, pages_used: 7.6, overage_pages: 0.6 });
    const pro = { period: '2026-11', pages_used: 50_001.2, pages_limit: 50_000, plan: 'pro', overage_pages: 1.2 };
    expect(await usage('pro', 50_001.2)).toStrictEqual(pro);
    const [live, test] = served.fakes.callsOf(jobsOperations.getUsage);
    expect(live?.context.tenantId).toBe(test?.context.tenantId);
  });
});
