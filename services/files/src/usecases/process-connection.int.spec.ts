// Real: Postgres. FAKES: the connections service, which lists the nodes of a bucket in memory, and the jobs service, which holds as
// many pages as it is told to.
import {
  CodedError,
  connectionsOperations,
  encodeId,
  jobsOperations,
  notFound,
  uuidOf,
  type CallContext,
  type Operation,
  type OperationInput,
} from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';
import { newWork, type FileNode } from './queue-nodes.usecase.js';

type Listing = OperationInput<typeof connectionsOperations.listFileNodes>;
type Reserving = OperationInput<typeof jobsOperations.reservePages>;
type Releasing = OperationInput<typeof jobsOperations.releasePages>;

const FILES_PER_CALL = 250;

describe('processing a connection', () => {
  let kiln: FilesHarness;
  let context: CallContext;
  let connection_id: string;
  let nodes: FileNode[] = [];
  let isDeleted = false;
  let pages = Number.POSITIVE_INFINITY;
  let released: string[] = [];
  /** What happens while a page of nodes is being listed. */
  let onListed = () => Promise.resolve();

  const answers = new Map<string, (input: never) => unknown>([
    [
      connectionsOperations.listFileNodes.subject,
      async ({ after: last, limit }: Listing) => {
        await onListed();
        if (isDeleted) throw notFound('No connection has this id.');
        const rest = nodes.filter(({ node_id }) => last === null || node_id > last);
        return { nodes: rest.slice(0, limit), is_last: rest.length < limit };
      },
    ],
    [
      jobsOperations.reservePages.subject,
      ({ jobs }: Reserving) => {
        if (jobs.length > pages) throw new CodedError('QUOTA_EXCEEDED', 'The plan’s limit is reached.');
        pages -= jobs.length;
        return { reserved: jobs.map(({ id }) => id), lease_seconds: 900 };
      },
    ],
    [
      jobsOperations.releasePages.subject,
      ({ job_ids }: Releasing) => {
        released.push(...job_ids);
        return {};
      },
    ],
  ]);
  const connectionsAnswer = async (operation: Operation, input: never) => answers.get(operation.subject)?.(input);

  before(async () => {
    kiln = await startFiles({ connectionsAnswer, filesPerCallMax: FILES_PER_CALL });
  });
  beforeEach(async () => {
    await kiln.sql('delete from connection_runs');
    context = contextOf(uuidv7());
    connection_id = encodeId('connection', uuidv7());
    isDeleted = false;
    pages = Number.POSITIVE_INFINITY;
    released = [];
    onListed = () => Promise.resolve();
  });
  after(() => kiln.close());

  const holds = (count: number) => {
    nodes = Array.from({ length: count }, (_, index) => ({
      node_id: encodeId('node', uuidv7()),
      connection_id,
      path: `folder/${index}.md`,
      name: `${index}.md`,
      size_bytes: 10,
      etag: `v1-${index}`,
      content_type: 'text/markdown',
    }));
  };
  const process = (pages_limit: number | null = null, batch_id = encodeId('batch', uuidv7())) =>
    kiln.processConnection.execute({ batch_id, connection_id, processing: {}, pages_limit }, context);
  const filesOf = () =>
    kiln.sql<{ id: string; job_id: string; status: string; node_id: string }>(
      `select f.id, f.job_id, f.status, c.node_id from files f join connection_files c on c.tenant_id = f.tenant_id and c.file_id = f.id
       where f.tenant_id = $1 order by c.node_id`,
      [context.tenantId],
    );
  const setStatus = (status: string, nodeId: string) =>
    kiln.sql(
      `update files f set status = $2 from connection_files c where c.tenant_id = f.tenant_id and c.file_id = f.id and c.node_id = $1`,
      [uuidOf('node', nodeId), status],
    );
  const nodeAt = (index: number) => {
    const node = nodes[index];
    assert.ok(node);
    return node;
  };

  it('makes a file with a job of every node, with the events that say so, in one batch', async () => {
    holds(3);
    const batch_id = encodeId('batch', uuidv7());
    const { jobs, rest } = await process(null, batch_id);
    assert.deepEqual([jobs.length, rest], [3, 'none']);
    const files = await filesOf();
    assert.deepEqual(
      files.map(({ status }) => status),
      ['processing', 'processing', 'processing'],
    );
    assert.deepEqual(
      jobs.map(({ job_id }) => uuidOf('job', job_id)).toSorted(),
      files.map(({ job_id }) => job_id).toSorted(),
    );
    assert.ok(jobs.every((job) => job.batch_id === batch_id && job.ready));
    assert.deepEqual(await kiln.eventsOf(jobs[0]?.file_id ?? ''), ['file.created', 'file.processing.requested']);
    const batch = await kiln.readBatch.execute({ id: batch_id }, context);
    assert.deepEqual([batch.total, batch.in_progress], [3, 3]);
  });

  it('again queues only what failed, was cancelled or changed, and gives those files new jobs', async () => {
    holds(5);
    await process();
    const before = await filesOf();
    assert.equal((await process()).jobs.length, 0, 'all at work');
    await setStatus('completed', nodeAt(0).node_id);
    await setStatus('failed', nodeAt(1).node_id);
    await setStatus('uploaded', nodeAt(2).node_id);
    nodeAt(3).etag = 'v2';
    nodeAt(4).size_bytes = 11;
    const { jobs } = await process();
    assert.deepEqual(
      jobs.map(({ file_id }) => uuidOf('file', file_id)).toSorted(),
      before
        .slice(1)
        .map(({ id }) => id)
        .toSorted(),
    );
    const files = await filesOf();
    assert.deepEqual(
      files.map(({ id }) => id),
      before.map(({ id }) => id),
      'a node keeps its file',
    );
    assert.equal((await process()).jobs.length, 0);
  });

  it('makes a new file of a node whose file was deleted', async () => {
    holds(1);
    const [first] = (await process()).jobs;
    await kiln.deleteFiles.one({ id: first?.file_id ?? encodeId('file', uuidv7()) }, context);
    const [second] = (await process()).jobs;
    assert.ok(second && second.file_id !== first?.file_id);
  });

  it('that is larger than one call goes on in the background from where the call stopped, each node once, to the end', async () => {
    holds(900);
    const batch_id = encodeId('batch', uuidv7());
    const { jobs, rest } = await process(null, batch_id);
    assert.deepEqual([jobs.length, rest], [400, 'follows'], 'two pages of 200');
    while ((await kiln.sql('select 1 from connection_runs')).length > 0) {
      // Nobody publishes here; the worker waits while too much is waiting.
      await kiln.sql('delete from outbox');
      await kiln.connectionRuns.round();
    }
    assert.equal((await filesOf()).length, 900);
    assert.equal((await kiln.readBatch.execute({ id: batch_id }, context)).total, 900);
    assert.equal((await process()).jobs.length, 0);
  });

  it('a page that dies before its commit is queued by the next claim; one whose claim is lost queues nothing', async () => {
    holds(600);
    await process();
    const slow = await kiln.runs.claim(45);
    assert.ok(slow);
    await kiln.sql('update connection_runs set leased_until = now()');
    const next = await kiln.runs.claim(45);
    assert.ok(next && next.fence === slow.fence + 1);
    const count = (await filesOf()).length;
    assert.equal((await kiln.processConnection.step(slow, context)).queued.length, 0);
    assert.equal((await filesOf()).length, count);
    assert.equal((await kiln.processConnection.step(next, context)).queued.length, 200);
  });

  it('that another has taken over stops with the page at which it shows, and the other goes on to the end', async () => {
    holds(900);
    await process();
    const count = (await filesOf()).length;
    await kiln.sql('delete from outbox');
    let listed = 0;
    onListed = async () => {
      listed++;
      onListed = () => Promise.resolve(void listed++);
      await kiln.sql('update connection_runs set fence = fence + 1');
    };
    assert.equal(await kiln.connectionRuns.round(), true);
    assert.deepEqual([listed, (await filesOf()).length], [1, count]);
    await kiln.sql('update connection_runs set leased_until = now()');
    await kiln.connectionRuns.round();
    assert.equal((await filesOf()).length, 900);
  });

  it('two at a time never make two files of one node', async () => {
    holds(150);
    const outcomes = await Promise.all([process(), process(), process()]);
    assert.equal(outcomes.flatMap(({ jobs }) => jobs).length, 150);
    const files = await filesOf();
    assert.equal(new Set(files.map(({ node_id }) => node_id)).size, files.length);
    assert.equal(files.length, 150);
  });

  it('reserves a page for each job where the plan ends hard: a call without room is refused, a background run ends there', async () => {
    holds(500);
    pages = 100;
    await assert.rejects(process(100), { code: 'QUOTA_EXCEEDED' });
    assert.deepEqual([(await filesOf()).length, (await kiln.sql('select 1 from connection_runs')).length], [0, 0]);
    pages = 250;
    const { jobs, rest } = await process(250);
    assert.deepEqual([jobs.length, rest], [200, 'quota_exceeded']);
    assert.equal((await kiln.sql('select 1 from connection_runs')).length, 0);
    pages = 200;
    const more = await process(400);
    assert.deepEqual([more.jobs.length, more.rest], [200, 'quota_exceeded']);
    assert.equal(pages, 0, 'what is at work already asks for no page');
    assert.deepEqual(released, []);
  });

  it('of a connection that is gone is NOT_FOUND, and ends a run in the background', async () => {
    holds(600);
    await process();
    isDeleted = true;
    await assert.rejects(process(), { code: 'NOT_FOUND' });
    await kiln.sql('delete from outbox');
    await kiln.connectionRuns.round();
    assert.equal((await kiln.sql('select 1 from connection_runs')).length, 0);
  });

  it('one node by itself: the same job for the same bytes, a new one for others', async () => {
    holds(1);
    const node = nodeAt(0);
    const one = () => {
      const { fileId, jobId } = newWork(node);
      const ids = { file_id: encodeId('file', fileId), job_id: encodeId('job', jobId) };
      return kiln.processNode.execute({ node, ...ids, processing: {} }, context);
    };
    const first = await one();
    assert.ok(first.job);
    assert.deepEqual(await one(), { ...first, job: null });
    node.etag = 'v2';
    const changed = await one();
    assert.equal(changed.file_id, first.file_id);
    assert.notEqual(changed.job_id, first.job_id);
  });
});
