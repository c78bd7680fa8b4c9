// Real: the service as its own process (API role), Postgres, NATS with JetStream. Faked: the files service; its events go
// through this service's own outbox, and so over the same stream.
import { CodedError, encodeId, filesEvents, jobsOperations, uuidOf, type CallContext } from '@kiln/contracts';
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
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { JobRequest } from './store/job.store.js';
import { jobRequest, openDatabase, silentLogger } from './test/jobs-harness.js';

describe('a requested job', () => {
  let service: TestService;
  let connection: NatsConnection;
  let database: Database;
  let rpc: RpcClient;
  let relay: OutboxRelay;
  before(async () => {
    service = await startTestService({ name: 'jobs', role: 'api' });
    connection = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
    database = openDatabase(service.databaseUrl);
    const { namespace } = service;
    rpc = new RpcClient(connection, namespace);
    relay = new OutboxRelay({
      database,
      connection,
      namespace,
      service: 'jobs',
      logger: silentLogger,
      metrics: new Metrics('jobs', 'all'),
    });
    relay.start();
  });
  after(async () => {
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
    deadlineAt: Date.now() + 10_000,
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
        data: { file_id, job_id, error: expired },
      }),
    ]);
  const received = async (consumer: string) => {
    const text = 'select count(*)::int as count from inbox where consumer = $1';
    const [row] = await database.query<{ count: number }>({ name: '', text }, [`jobs-${consumer}`]);
    return row?.count ?? 0;
  };
  const consumed = (consumer: string, count: number) =>
    eventually(async () => assert.ok((await received(consumer)) >= count));
  const receivedRequests = () => received('file-processing-requested');
  /** Events of one type are handled in their order: what was emitted before this one was, too. */
  const heardSoFar = async () => {
    const last = jobRequest(uuidv7());
    const definition = filesEvents.processingRequested;
    await appendEvents(database, [newEvent({ definition, tenantId: uuidv7(), subject: 'file', data: last })]);
    const text = 'select 1 from jobs where id = $1';
    await eventually(async () =>
      assert.equal((await database.query({ name: '', text }, [uuidOf('job', last.job_id)])).length, 1),
    );
  };
  const get = (id: string, tenant?: string) => rpc.call(jobsOperations.getJob, { id }, context(tenant));
  const readyOf = async () => {
    const text = 'select id, ready, run_after from jobs where tenant_id = $1 order by id';
    return database.query<{ id: string; ready: boolean; run_after: Date }>({ name: '', text }, [tenantId]);
  };

  it('is one job, ready once, whichever of call and event comes first and however often', async () => {
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
      assert.ok(found.length === ids.length && found.every(({ ready }) => ready));
      return found;
    });
    await heardSoFar();
    assert.deepEqual(await readyOf(), rows);
    assert.deepEqual(
      rows.map(({ id, ready: isReady }) => [id, isReady]),
      ids.map((id) => [id, true]),
    );
    assert.equal((await get(first.job_id)).provider, 'document_extractor');
    await Promise.all(waiting.map(call));
    await Promise.all(ready.map(call));
    assert.deepEqual(await readyOf(), rows);
  });

  it('is made when its state is asked for and it is missing, and is made ready when it waited in vain', async () => {
    const [lost, waiting, gone] = [jobRequest(uuidv7()), jobRequest(uuidv7(), { ready: false }), jobRequest(uuidv7())];
    await call(waiting);
    const text = 'insert into deleted_files (tenant_id, file_id) values ($1, $2)';
    await database.query({ name: '', text }, [tenantId, uuidOf('file', gone.file_id)]);
    const jobs = [lost, { ...waiting, ready: true }, gone];
    const { states } = await rpc.call(jobsOperations.checkJobs, { jobs }, context());
    const queued = [lost, waiting].map(({ job_id }) => ({ job_id, status: 'queued', fence: 0 }));
    assert.deepEqual(new Set(states), new Set(queued));
    const ids = queued.map(({ job_id }) => uuidOf('job', job_id));
    assert.deepEqual((await readyOf()).filter(({ id, ready }) => ready && ids.includes(id)).length, 2);
  });

  it('costs its event nothing but a look when the call has made it', async () => {
    const [made, waiting] = [jobRequest(uuidv7()), jobRequest(uuidv7(), { ready: false })];
    await call(made);
    await call(waiting);
    const before = await receivedRequests();
    await emit(made, { ...waiting, ready: true }, made, waiting);
    await heardSoFar();
    // The request that readies a job, and the one of `heardSoFar`.
    assert.equal((await receivedRequests()) - before, 2);
  });

  it('whose bytes never came fails, also when that is heard before the request', async () => {
    const [known, early] = [jobRequest(uuidv7(), { ready: false }), jobRequest(uuidv7(), { ready: false })];
    await call(known);
    await expire(known);
    await expire(early);
    await eventually(async () => assert.equal((await get(known.job_id)).error?.code, 'upload_expired'));
    await emit(early);
    await eventually(async () => assert.equal((await get(early.job_id)).status, 'failed'), { timeoutMs: 15_000 });
  });

  it('is gone with its file, and does not come back with what was sent before', async () => {
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
          data: { file_id, job_id, space, filename, content_type, size_bytes: 1 },
        }),
      ),
    );
    const notFound = (error: unknown) => error instanceof CodedError && error.code === 'NOT_FOUND';
    await eventually(() => assert.rejects(get(known.job_id), notFound));
    await consumed('file-deleted', deleted.length);
    await emit(early, known);
    await expire(expired);
    await consumed('file-upload-failed', 3);
    assert.deepEqual(await call(early), { created: 0 });
    await assert.rejects(get(early.job_id), notFound);
    for (const { job_id } of deleted) await assert.rejects(get(job_id), notFound);
  });

  it('is cancelled though the files service is away, by its own tenant alone, and once', async () => {
    const request = jobRequest(uuidv7());
    await call(request);
    const { job_id: id } = request;
    const cancel = (tenant?: string) => rpc.call(jobsOperations.cancelJob, { id }, context(tenant));
    await assert.rejects(cancel(uuidv7()), { code: 'NOT_FOUND' });
    assert.deepEqual(await cancel(), { id, status: 'cancelled' });
    assert.equal((await get(id)).status, 'cancelled');
    await assert.rejects(cancel(), { code: 'CONFLICT', message: /is cancelled/ });
    await assert.rejects(rpc.call(jobsOperations.retryJob, { id }, context()), { code: 'CONFLICT' });
  });

  it('is seen by its own tenant alone', async () => {
    const request = jobRequest(uuidv7());
    await call(request);
    assert.equal((await get(request.job_id)).status, 'queued');
    const notFound = (error: unknown) => error instanceof CodedError && error.code === 'NOT_FOUND';
    await assert.rejects(get(request.job_id, uuidv7()), notFound);
    await assert.rejects(get(encodeId('job', uuidv7())), notFound);
  });
});
