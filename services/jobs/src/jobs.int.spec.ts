// Real: the service as its own process (API role), Postgres, NATS with JetStream. Faked: the files service; its events go
// through this service's own outbox, and so over the same stream.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, filesEvents, jobsOperations, uuidOf, type CallContext, unknownLabels } from '@kiln/contracts';
import {
  appendEvents,
  connectBus,
  Metrics,
  newEvent,
  OutboxRelay,
  RpcClient,
  type Database,
  type NatsConnection,
} from '@kiln/platform';
import { eventually, startTestService, testNats, type TestService } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import type { JobRequest } from './jobs/job.store.js';
import { jobRequest, openDatabase, silentLogger } from './test/jobs-harness.js';

describe('a requested job', () => {
  let service: TestService;
  let connection: NatsConnection;
  let database: Database;
  let rpc: RpcClient;
  let relay: OutboxRelay;
  beforeAll(async () => {
    service = await startTestService({ name: 'jobs', role: 'api' });
    connection = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
    database = await openDatabase(service.databaseUrl);
    const { namespace } = service;
    rpc = new RpcClient(connection, namespace);
    relay = new OutboxRelay({
      database,
      connection,
      namespace,
      replicas: 1,
      service: 'jobs',
      logger: silentLogger,
      metrics: new Metrics('jobs', 'all'),
    });
    relay.start();
  });
  afterAll(async () => {
    await relay.stop();
    await connection.close();
    await database.close();
    await service.stop();
  });

  const tenantId = uuidv7();
  const context = (tenant = tenantId): CallContext => ({
    requestId: 'test',
    tenantId: tenant,
    mode: 'live',
    principal: 'test',
    deadlineAt: Date.now() + 60_000,
  });
  const call = (request: JobRequest) => rpc.call(jobsOperations.createJobs, { jobs: [request] }, context());
  const emit = (...requests: JobRequest[]) => {
    const about = { definition: filesEvents.processingRequested, tenantId, subject: 'file' };
    return appendEvents(
      database,
      requests.map((data) => newEvent({ ...about, data })),
    );
  };
  const expired = { code: 'upload_expired', message: 'Nothing was uploaded.', retryable: false } as const;
  const expire = ({ file_id, job_id }: JobRequest) =>
    appendEvents(database, [
      newEvent({
        definition: filesEvents.uploadFailed,
        tenantId,
        subject: file_id,
        data: { file_id, job_id, ...unknownLabels, error: expired },
      }),
    ]);
  const received = async (consumer: string) => {
    const text = 'select count(*)::int as count from inbox where consumer = $1';
    const [row] = await database.query<{ count: number }>({ name: '', text }, [`jobs-${consumer}`]);
    return row?.count ?? 0;
  };
  const consumed = (consumer: string, count: number) =>
    eventually(async () => expect(await received(consumer)).toBeGreaterThanOrEqual(count));
  /** Events of one type are handled in their order: what was emitted before this one was, too. */
  const heardSoFar = async () => {
    const last = jobRequest(uuidv7());
    const definition = filesEvents.processingRequested;
    await appendEvents(database, [newEvent({ definition, tenantId: uuidv7(), subject: 'file', data: last })]);
    const text = 'select 1 from jobs where id = $1';
    await eventually(async () =>
      expect(await database.query({ name: '', text }, [uuidOf('job', last.job_id)])).toHaveLength(1),
    );
  };
  const get = (id: string, tenant?: string) => rpc.call(jobsOperations.getJob, { id }, context(tenant));
  const readyOf = async () => {
    const text = 'select id, ready, due_at from jobs where tenant_id = $1 order by id';
    return database.query<{ id: string; ready: boolean; due_at: Date }>({ name: '', text }, [tenantId]);
  };

  it('is created once and made ready once, however often and in whatever order call and event arrive', async () => {
    const ids = [uuidv7(), uuidv7(), uuidv7()] as const;
    const waiting = ids.map((id) => jobRequest(id, { ready: false, content_type: null }));
    const ready = waiting.map((request) => ({ ...request, ready: true, content_type: 'text/markdown' }));
    const [first, second, third] = waiting as [JobRequest, JobRequest, JobRequest];
    const [firstReady, secondReady, thirdReady] = ready as [JobRequest, JobRequest, JobRequest];
    await call(first);
    await emit(first, firstReady, first);
    await emit(secondReady, second);
    await Promise.all([call(thirdReady), call(third), emit(third, thirdReady)]);
    await call(second);
    const rows = await eventually(async () => {
      const found = await readyOf();
      expect(found).toHaveLength(ids.length);
      expect(found.filter(({ ready }) => !ready)).toStrictEqual([]);
      return found;
    });
    await heardSoFar();
    expect(await readyOf()).toStrictEqual(rows);
    expect(rows.map(({ id, ready: isReady }) => [id, isReady])).toStrictEqual(ids.map((id) => [id, true]));
    expect((await get(first.job_id)).provider).toBe('document_extractor');
    await Promise.all(waiting.map(call));
    await Promise.all(ready.map(call));
    expect(await readyOf()).toStrictEqual(rows);
  });

  it('is created by a state check when it is missing, and made ready when its event was lost', async () => {
    const [lost, waiting, gone] = [jobRequest(uuidv7()), jobRequest(uuidv7(), { ready: false }), jobRequest(uuidv7())];
    await call(waiting);
    const text = 'insert into deleted_files (tenant_id, file_id) values ($1, $2)';
    await database.query({ name: '', text }, [tenantId, uuidOf('file', gone.file_id)]);
    const jobs = [lost, { ...waiting, ready: true }, gone];
    const { states } = await rpc.call(jobsOperations.checkJobs, { jobs }, context());
    const queued = [lost, waiting].map(({ job_id }) => ({ job_id, status: 'queued', fence: 0 }));
    expect(new Set(states)).toStrictEqual(new Set(queued));
    const ids = queued.map(({ job_id }) => uuidOf('job', job_id));
    expect((await readyOf()).filter(({ id, ready }) => ready && ids.includes(id)).length).toStrictEqual(2);
  });

  it('that the call has created is not written by its event', async () => {
    const made = jobRequest(uuidv7());
    await call(made);
    const text = 'select xmin, ctid from jobs where id = $1';
    const version = () => database.query({ name: '', text }, [uuidOf('job', made.job_id)]);
    const before = await version();
    await emit(made, made);
    await heardSoFar();
    expect(await version()).toStrictEqual(before);
  });

  it('whose bytes never arrived fails, even when the failure arrives before the request', async () => {
    const [known, early] = [jobRequest(uuidv7(), { ready: false }), jobRequest(uuidv7(), { ready: false })];
    await call(known);
    await expire(known);
    await expire(early);
    await eventually(async () => expect((await get(known.job_id)).error?.code).toBe('upload_expired'));
    await emit(early);
    await eventually(async () => expect((await get(early.job_id)).status).toBe('failed'));
  });

  it('is deleted with its file, and late requests do not create it again', async () => {
    const [known, early, expired] = [
      jobRequest(uuidv7()),
      jobRequest(uuidv7()),
      jobRequest(uuidv7(), { ready: false }),
    ];
    await call(known);
    const deleted = [known, early, expired];
    const about = { definition: filesEvents.fileDeleted, tenantId };
    await appendEvents(
      database,
      deleted.map(({ file_id, job_id, space, filename, content_type }) =>
        newEvent({
          ...about,
          subject: file_id,
          data: {
            file_id,
            job_id,
            space,
            filename,
            content_type,
            ...unknownLabels,
            size_bytes: 1,
            created_at: new Date().toISOString(),
          },
        }),
      ),
    );
    const notFound = { name: 'CodedError', code: 'NOT_FOUND' };
    await eventually(() => expect(get(known.job_id)).rejects.toMatchObject(notFound));
    await consumed('file-deleted', deleted.length);
    await emit(early, known);
    await expire(expired);
    await consumed('file-upload-failed', 3);
    expect(await call(early)).toStrictEqual({ created: 0 });
    await expect(get(early.job_id)).rejects.toMatchObject(notFound);
    for (const { job_id } of deleted) await expect(get(job_id)).rejects.toMatchObject(notFound);
  });

  it('can be cancelled while the files service is unavailable, only by its own tenant, and only once', async () => {
    const request = jobRequest(uuidv7());
    await call(request);
    const { job_id: id } = request;
    const cancel = (tenant?: string) => rpc.call(jobsOperations.cancelJob, { id }, context(tenant));
    await expect(cancel(uuidv7())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await cancel()).toStrictEqual({ id, status: 'cancelled' });
    expect((await get(id)).status).toBe('cancelled');
    await expect(cancel()).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/is cancelled/) });
    await expect(rpc.call(jobsOperations.retryJob, { id }, context())).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is visible to its own tenant only', async () => {
    const request = jobRequest(uuidv7());
    await call(request);
    expect((await get(request.job_id)).status).toBe('queued');
    const notFound = { name: 'CodedError', code: 'NOT_FOUND' };
    await expect(get(request.job_id, uuidv7())).rejects.toMatchObject(notFound);
    await expect(get(encodeId('job', uuidv7()))).rejects.toMatchObject(notFound);
  });
});
