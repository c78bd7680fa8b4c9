// Real: Postgres. FAKES: the connections service, which lists the nodes of a bucket in memory, and the jobs service, which has
// a configured number of pages.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
  let onListed: (tenantId: string) => Promise<unknown> = () => Promise.resolve();

  const answers = new Map<string, (input: never, tenantId: string) => unknown>([
    [
      connectionsOperations.listFileNodes.subject,
      async ({ after: last, limit }: Listing, tenantId: string) => {
        await onListed(tenantId);
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
  const connectionsAnswer = async ({ subject }: Operation, input: never, { tenantId }: CallContext) =>
    answers.get(subject)?.(input, tenantId);

  beforeAll(async () => {
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
  afterAll(() => kiln.close());

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
  const process = (pages_limit: number | null = null, batch_id = encodeId('batch', uuidv7()), of = context) =>
    kiln.processConnection.execute({ batch_id, connection_id, processing: {}, pages_limit }, of);
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
    if (!node) throw new Error('no node');
    return node;
  };

  const isRunning = async () => (await kiln.sql('select 1 from connection_runs')).length > 0;
  /** Works until every run has ended. */
  const work = async () => {
    while (await isRunning()) {
      // No relay runs here, and the worker pauses while the event backlog is full.
      await kiln.sql('delete from outbox');
      await kiln.connectionRuns.round();
    }
  };

  it('makes a file with a job and its events of every node, in one batch', async () => {
    holds(3);
    const batch_id = encodeId('batch', uuidv7());
    const { jobs, rest } = await process(null, batch_id);
    expect([jobs.length, rest]).toStrictEqual([3, 'none']);
    const files = await filesOf();
    expect(files.map(({ status }) => status)).toStrictEqual(['processing', 'processing', 'processing']);
    expect(jobs.map(({ job_id }) => uuidOf('job', job_id)).toSorted()).toStrictEqual(
      files.map(({ job_id }) => job_id).toSorted(),
    );
    expect(jobs.filter((job) => job.batch_id !== batch_id || !job.ready)).toStrictEqual([]);
    expect(await kiln.eventsOf(jobs[0]?.file_id ?? '')).toStrictEqual(['file.created', 'file.processing.requested']);
    const batch = await kiln.readBatch.execute({ id: batch_id }, context);
    expect([batch.total, batch.in_progress, batch.rest]).toStrictEqual([3, 3, 'none']);
  });

  it('queues again only files that failed, were cancelled or changed, each with a new job', async () => {
    holds(5);
    await process();
    const before = await filesOf();
    expect((await process()).jobs).toHaveLength(0);
    await setStatus('completed', nodeAt(0).node_id);
    await setStatus('failed', nodeAt(1).node_id);
    await setStatus('uploaded', nodeAt(2).node_id);
    nodeAt(3).etag = 'v2';
    nodeAt(4).size_bytes = 11;
    const { jobs } = await process();
    expect(jobs.map(({ file_id }) => uuidOf('file', file_id)).toSorted()).toStrictEqual(
      before
        .slice(1)
        .map(({ id }) => id)
        .toSorted(),
    );
    const files = await filesOf();
    // A node keeps its file.
    expect(files.map(({ id }) => id)).toStrictEqual(before.map(({ id }) => id));
    expect((await process()).jobs).toHaveLength(0);
  });

  it('makes a new file of a node whose file was deleted', async () => {
    holds(1);
    const [first] = (await process()).jobs;
    await kiln.deleteFiles.one({ id: first?.file_id ?? encodeId('file', uuidv7()) }, context);
    const [second] = (await process()).jobs;
    expect(second).toBeTruthy();
    expect(second?.file_id).not.toBe(first?.file_id);
  });

  it('continues in the background after the call, and queues each node once', async () => {
    holds(900);
    const batch_id = encodeId('batch', uuidv7());
    const { jobs, rest } = await process(null, batch_id);
    // The nodes fill two pages of 200.
    expect([jobs.length, rest]).toStrictEqual([400, 'follows']);
    const batch = () => kiln.readBatch.execute({ id: batch_id }, context);
    await kiln.sql(`update files set status = 'completed' where tenant_id = $1`, [context.tenantId]);
    expect(await batch()).toMatchObject({ total: 400, in_progress: 0, rest: 'follows' });
    await work();
    expect(await filesOf()).toHaveLength(900);
    expect(await batch()).toMatchObject({ total: 900, in_progress: 500, rest: 'none' });
    expect((await process()).jobs).toHaveLength(0);
  });

  it('queues the pages of two tenants in rotation, so that none waits for the end of the run of the other', async () => {
    holds(900);
    await process();
    await process(null, undefined, contextOf(uuidv7()));
    const listed: string[] = [];
    onListed = (tenantId) => Promise.resolve(listed.push(tenantId));
    await work();
    expect(listed).toHaveLength(6);
    expect(listed.filter((tenantId, at) => tenantId === listed[at - 1])).toStrictEqual([]);
  });

  it('queues a page in the next claim when the process dies before the commit; a lost lease queues nothing', async () => {
    holds(600);
    await process();
    const slow = await kiln.runs.claim(45, null);
    if (!slow) throw new Error('no slow');
    await kiln.sql(`update connection_runs set due_at = now() - interval '1 minute'`);
    const next = await kiln.runs.claim(45, null);
    if (!next) throw new Error('the run was not claimed again');
    expect(next.fence).toBe(slow.fence + 1);
    const count = (await filesOf()).length;
    expect((await kiln.queuePage.execute(slow, context)).queued).toHaveLength(0);
    expect(await filesOf()).toHaveLength(count);
    expect((await kiln.queuePage.execute(next, context)).queued).toHaveLength(200);
  });

  it('stops in the call when another process has taken over, and that process finishes', async () => {
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
    expect(await kiln.connectionRuns.round()).toBe(true);
    expect([listed, (await filesOf()).length]).toStrictEqual([1, count]);
    await kiln.sql(`update connection_runs set due_at = now() - interval '1 minute'`);
    await work();
    expect(await filesOf()).toHaveLength(900);
  });

  it('makes one file of a node when two calls run concurrently', async () => {
    holds(150);
    const outcomes = await Promise.all([process(), process(), process()]);
    expect(outcomes.flatMap(({ jobs }) => jobs)).toHaveLength(150);
    const files = await filesOf();
    expect(new Set(files.map(({ node_id }) => node_id)).size).toBe(files.length);
    expect(files).toHaveLength(150);
  });

  it('reserves a page for each job of a plan with a hard limit: without room a call is refused, and a background run ends', async () => {
    holds(500);
    pages = 100;
    await expect(process(100)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect([(await filesOf()).length, (await kiln.sql('select 1 from connection_runs')).length]).toStrictEqual([0, 0]);
    pages = 250;
    const { jobs, rest } = await process(250);
    expect([jobs.length, rest]).toStrictEqual([200, 'quota_exceeded']);
    expect(await kiln.sql('select 1 from connection_runs')).toHaveLength(0);
    pages = 200;
    const more = await process(400);
    expect([more.jobs.length, more.rest]).toStrictEqual([200, 'quota_exceeded']);
    // Files that are processing reserve no pages.
    expect(pages).toBe(0);
    expect(released).toStrictEqual([]);
  });

  it('fails with NOT_FOUND for a deleted connection, and ends its background run', async () => {
    holds(600);
    await process();
    isDeleted = true;
    await expect(process()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await kiln.sql('delete from outbox');
    await kiln.connectionRuns.round();
    expect(await kiln.sql('select 1 from connection_runs')).toHaveLength(0);
  });

  it('of a single node returns the same job for the same bytes, and a new one for other bytes', async () => {
    holds(1);
    const node = nodeAt(0);
    const one = () => {
      const { fileId, jobId } = newWork(node);
      const ids = { file_id: encodeId('file', fileId), job_id: encodeId('job', jobId) };
      return kiln.processNode.execute({ node, ...ids, processing: {} }, context);
    };
    const first = await one();
    expect(first.job).toBeTruthy();
    expect(await one()).toStrictEqual({ ...first, job: null });
    node.etag = 'v2';
    const changed = await one();
    expect(changed.file_id).toBe(first.file_id);
    expect(changed.job_id).not.toBe(first.job_id);
  });
});
