// Real: Postgres. FAKES: the connections service, which lists nodes in memory, and the jobs service, which has pages for all.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  connectionsOperations,
  encodeId,
  jobsOperations,
  uuidOf,
  type CallContext,
  type Operation,
  type OperationInput,
} from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';
import type { FileNode } from './queue-nodes.usecase.js';

type Reserving = OperationInput<typeof jobsOperations.reservePages>;

describe('the files of nodes whose objects are gone', () => {
  let kiln: FilesHarness;
  let context: CallContext;
  let connection_id: string;
  let nodes: FileNode[];
  /** What happens after a page of nodes was listed. */
  let onListed: () => Promise<unknown>;

  const answers = new Map<string, (input: never) => unknown>([
    [
      connectionsOperations.listFileNodes.subject,
      async () => {
        const listed = [...nodes];
        await onListed();
        return { nodes: listed, is_last: true };
      },
    ],
    [
      jobsOperations.reservePages.subject,
      ({ jobs }: Reserving) => ({ reserved: jobs.map(({ id }) => id), lease_seconds: 900 }),
    ],
    [jobsOperations.releasePages.subject, () => ({})],
  ]);
  beforeAll(async () => {
    const connectionsAnswer = async (operation: Operation, input: never) => answers.get(operation.subject)?.(input);
    kiln = await startFiles({ connectionsAnswer });
  });
  beforeEach(() => {
    context = contextOf(uuidv7());
    connection_id = encodeId('connection', uuidv7());
    onListed = () => Promise.resolve();
    nodes = ['a.md', 'b.md'].map((name) => ({
      node_id: encodeId('node', uuidv7()),
      connection_id,
      path: name,
      name,
      size_bytes: 10,
      etag: 'v1',
      content_type: 'text/markdown',
      space: 'mirror',
    }));
  });
  afterAll(() => kiln.close());

  const process = () => {
    const batch_id = encodeId('batch', uuidv7());
    return kiln.processConnection.execute({ batch_id, connection_id, processing: {}, pages_limit: null }, context);
  };
  const remove = (...gone: FileNode[]) =>
    kiln.database.transaction((transaction) =>
      kiln.deleteNodeFiles.executeWithin(transaction, {
        tenantId: context.tenantId,
        connectionId: uuidOf('connection', connection_id),
        nodeIds: gone.map(({ node_id: id }) => uuidOf('node', id)),
      }),
    );
  const files = async () => {
    const query = { limit: 10, sort_by: 'filename' as const, sort_order: 'asc' as const };
    const { files: listed } = await kiln.readFiles.list(query, context);
    return listed.map(({ filename, space }) => [filename, space]);
  };

  it('are deleted with their events, once; the others stay, in the space of the connection', async () => {
    const { jobs } = await process();
    const [first] = nodes as [FileNode];
    expect([await remove(first), await remove(first)]).toStrictEqual([1, 0]);
    expect(await files()).toStrictEqual([['b.md', 'mirror']]);
    const gone = jobs.find(({ filename }) => filename === 'a.md')?.file_id ?? '';
    expect((await kiln.eventsOf(gone)).filter((type) => type === 'file.deleted')).toHaveLength(1);
  });

  it('are not made of a page of nodes that was read before the removal', async () => {
    onListed = () => remove(...nodes.slice(0, 1));
    const { jobs } = await process();
    expect(jobs.map(({ filename }) => filename)).toStrictEqual(['b.md']);
    expect(await files()).toStrictEqual([['b.md', 'mirror']]);
  });

  it('do not concern the nodes of another tenant', async () => {
    await process();
    const owner = context;
    context = contextOf(uuidv7());
    expect(await remove(...nodes)).toBe(0);
    context = owner;
    expect(await files()).toHaveLength(2);
  });
});
