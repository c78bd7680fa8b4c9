// Real: Postgres. FAKES: the connections service, which has its nodes in memory, and the jobs service, which has a number of pages.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CodedError,
  connectionsOperations,
  encodeId,
  jobsOperations,
  notFound,
  unavailable,
  uuidOf,
  type CallContext,
  type Operation,
  type OperationInput,
} from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';
import type { FileNode } from './queue-nodes.usecase.js';

type Asking = OperationInput<typeof connectionsOperations.getSelectedNodes>;
type Reserving = OperationInput<typeof jobsOperations.reservePages>;

describe('nodes that a sync has selected', () => {
  let kiln: FilesHarness;
  let context: CallContext;
  let connectionId: string;
  let connection_id: string;
  let nodes: FileNode[];
  let onChange: 'reprocess' | 'ignore';
  let pages: number | null;
  /** How many nodes fit into a message. */
  let fitting: number;
  let onAsked: () => Promise<unknown>;
  let asked: string[];

  const answers = new Map<string, (input: never) => unknown>([
    [
      connectionsOperations.getSelectedNodes.subject,
      async ({ connection_id: of, node_ids: ids }: Asking) => {
        asked.push(of);
        await onAsked();
        const found = nodes.filter(({ node_id }) => ids.includes(node_id));
        const rest = found.slice(fitting).map(({ node_id }) => node_id);
        return { nodes: found.slice(0, fitting), rest, on_change: onChange, pages_limit: pages };
      },
    ],
    [
      jobsOperations.reservePages.subject,
      ({ jobs }: Reserving) => {
        if (jobs.length > (pages ?? 0)) throw new CodedError('QUOTA_EXCEEDED', 'The limit of the plan is reached.');
        return { reserved: jobs.map(({ id }) => id), lease_seconds: 900 };
      },
    ],
    [jobsOperations.releasePages.subject, () => ({})],
  ]);
  beforeAll(async () => {
    const connectionsAnswer = async (operation: Operation, input: never) => answers.get(operation.subject)?.(input);
    kiln = await startFiles({ connectionsAnswer });
  });
  beforeEach(async () => {
    await kiln.sql('delete from node_selections');
    context = contextOf(uuidv7());
    connectionId = uuidv7();
    connection_id = encodeId('connection', connectionId);
    [onChange, pages, fitting, asked] = ['reprocess', null, 1_000, []];
    onAsked = () => Promise.resolve();
    nodes = ['a.md', 'b.md'].map(nodeNamed);
  });
  afterAll(() => kiln.close());

  const nodeNamed = (name: string): FileNode => ({
    node_id: encodeId('node', uuidv7()),
    connection_id,
    path: name,
    name,
    size_bytes: 10,
    etag: 'v1',
    content_type: 'text/markdown',
    space: 'mirror',
  });
  const select = (selected: readonly FileNode[] = nodes) =>
    kiln.selections.add(
      kiln.database,
      context.tenantId,
      connectionId,
      selected.map(({ node_id }) => uuidOf('node', node_id)),
    );
  /** Works until nothing is due. */
  const work = async () => {
    while (await kiln.selectionsWorker.round());
  };
  const jobs = async () => {
    const rows = await kiln.sql<{ filename: string; job_id: string }>(
      'select filename, job_id from files where tenant_id = $1 order by filename',
      [context.tenantId],
    );
    return new Map(rows.map(({ filename, job_id: job }) => [filename, job]));
  };
  const left = () =>
    kiln.sql<{ ids: string[]; seconds: number }>(
      `select node_ids as ids, extract(epoch from due_at - now())::float8 as seconds from node_selections where tenant_id = $1`,
      [context.tenantId],
    );

  it('get files with jobs once, and new jobs when they are selected again with other bytes', async () => {
    await select();
    await work();
    const first = await jobs();
    expect([[...first.keys()], await left()]).toStrictEqual([['a.md', 'b.md'], []]);
    const [changed] = nodes as [FileNode];
    changed.etag = 'v2';
    await select();
    await work();
    const second = await jobs();
    expect(second.get('a.md')).not.toBe(first.get('a.md'));
    expect(second.get('b.md')).toBe(first.get('b.md'));
  });

  it('keep their result when the connection ignores changes', async () => {
    await select();
    await work();
    const first = await jobs();
    onChange = 'ignore';
    const [changed] = nodes as [FileNode];
    changed.etag = 'v2';
    nodes.push(nodeNamed('c.md'));
    await select();
    await work();
    const second = await jobs();
    expect([...second.keys()]).toStrictEqual(['a.md', 'b.md', 'c.md']);
    expect([second.get('a.md'), second.get('b.md')]).toStrictEqual([first.get('a.md'), first.get('b.md')]);
  });

  it('are asked for again when they do not fit into one message', async () => {
    fitting = 1;
    await select();
    await work();
    expect([[...(await jobs()).keys()], asked.length, await left()]).toStrictEqual([['a.md', 'b.md'], 2, []]);
  });

  it('get no file when they were removed, or are no longer selected', async () => {
    const [removed, unselected] = nodes as [FileNode, FileNode];
    nodes = [removed];
    onAsked = () =>
      kiln.database.transaction((transaction) =>
        kiln.deleteNodeFiles.executeWithin(transaction, {
          tenantId: context.tenantId,
          connectionId,
          nodeIds: [uuidOf('node', removed.node_id)],
        }),
      );
    await select([removed, unselected]);
    await work();
    expect([(await jobs()).size, await left()]).toStrictEqual([0, []]);
  });

  it('are dropped when their connection is deleted', async () => {
    onAsked = () => Promise.reject(notFound('No connection has this id.'));
    await select();
    await work();
    expect([(await jobs()).size, await left()]).toStrictEqual([0, []]);
  });

  it('wait for an hour when the pages of the plan are used up, all of the tenant after one refusal, and are queued then', async () => {
    pages = 1;
    await select();
    await select();
    await work();
    const waiting = await left();
    expect([waiting.length, asked.length, (await jobs()).size]).toStrictEqual([2, 1, 0]);
    for (const { seconds } of waiting) expect(seconds).toBeGreaterThan(3_000);
    pages = 2;
    await kiln.sql('update node_selections set due_at = now()');
    await work();
    expect([(await jobs()).size, await left()]).toStrictEqual([2, []]);
  });

  it('are tried again after a failure, with a delay', async () => {
    onAsked = () => Promise.reject(unavailable('The connections service'));
    await select();
    expect(await kiln.selectionsWorker.round()).toBe(true);
    const [waiting] = await left();
    expect(waiting?.seconds).toBeGreaterThan(-60);
    expect(await kiln.sql('select failures from node_selections')).toStrictEqual([{ failures: 1 }]);
    onAsked = () => Promise.resolve();
    await kiln.sql('update node_selections set due_at = now()');
    await work();
    expect((await jobs()).size).toBe(2);
  });

  it('are queued once, although the lease of a process ends before it has queued them', async () => {
    let other: Promise<unknown> | undefined;
    onAsked = async () => {
      if (other !== undefined) return;
      await kiln.sql('update node_selections set due_at = now()');
      await (other = kiln.selectionsWorker.round());
    };
    await select();
    await work();
    expect([(await jobs()).size, await left(), asked.length]).toStrictEqual([2, [], 2]);
    const [file] = await kiln.sql<{ id: string }>('select id from files where tenant_id = $1 limit 1', [
      context.tenantId,
    ]);
    expect(await kiln.eventsOf(encodeId('file', file?.id ?? ''))).toStrictEqual([
      'file.created',
      'file.processing.requested',
    ]);
  });

  it('are queued round robin by tenant', async () => {
    const tenants = [context.tenantId, uuidv7()].toSorted();
    const connections = new Map<string, string>();
    for (const tenantId of tenants) {
      const of = uuidv7();
      connections.set(encodeId('connection', of), tenantId);
      for (let time = 0; time < 3; time++) await kiln.selections.add(kiln.database, tenantId, of, [uuidv7()]);
    }
    await work();
    const served = asked.map((id) => connections.get(id));
    expect(served).toHaveLength(6);
    expect(served.filter((tenantId, at) => tenantId === served[at - 1])).toStrictEqual([]);
  });
});
