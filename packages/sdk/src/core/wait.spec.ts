import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { json, problem, startTestServer, type TestServer } from '../fixtures/test-server.js';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

describe('waiting', () => {
  it.each(['completed', 'failed', 'cancelled'])('for a job ends when it is %s', async (status) => {
    server.script(json(200, { status: 'processing' }), json(200, { status }));
    expect(await server.kiln().jobs.waitFor('job_1')).toStrictEqual({ status });
    expect(server.received.map(({ path }) => path)).toStrictEqual(['/v1/jobs/job_1?wait=60', '/v1/jobs/job_1?wait=60']);
  });

  it('for a batch ends when none of its files is in progress or still to be added', async () => {
    const growing = json(200, { in_progress: 0, rest: 'follows' });
    server.script(json(200, { in_progress: 2 }), growing, json(200, { in_progress: 0, rest: 'none' }));
    expect(await server.kiln().batches.waitFor('batch_1')).toStrictEqual({ in_progress: 0, rest: 'none' });
    expect(server.received).toHaveLength(3);
  });

  it('outlasts an outage, unless maxRetries says otherwise', async () => {
    const failed = problem(503, 'UNAVAILABLE', { 'retry-after': '0' });
    server.script(failed, failed, failed, failed, failed, json(200, { status: 'completed' }));
    expect(await server.kiln().jobs.waitFor('job_1')).toStrictEqual({ status: 'completed' });
    server.script(failed);
    const waiting = server.kiln().jobs.waitFor('job_1', { maxRetries: 0 });
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(server.received).toHaveLength(7);
  });

  it('ends at its deadline, and asks the server for no longer than that', async () => {
    server.script(json(200, { status: 'queued' }));
    // On a busy machine the deadline may pass before the request arrives.
    do {
      const waiting = server.kiln().jobs.waitFor('job_1', { deadlineMs: 200 });
      await expect(waiting).rejects.toMatchObject({ code: 'DEADLINE' });
    } while (server.received.length === 0);
    expect(server.received[0]?.path).toBe('/v1/jobs/job_1?wait=0');
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('the caller has left');
    server.script(() => controller.abort(reason));
    const waiting = server.kiln().jobs.waitFor('job_1', { signal: controller.signal });
    await expect(waiting).rejects.toBe(reason);
  });
});
