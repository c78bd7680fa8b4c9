// Real: Postgres. FAKES: the connections service, which lists nodes in memory, and the jobs service, which is never asked.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, uuidOf, type CallContext } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';
import type { FileNode } from './queue-nodes.usecase.js';

describe('the file of an object with another key', () => {
  let kiln: FilesHarness;
  let context: CallContext;
  let connectionId: string;
  let node: FileNode;
  let fileId: string;
  beforeAll(async () => {
    kiln = await startFiles({ connectionsAnswer: () => Promise.resolve({ nodes: [node], is_last: true }) });
  });
  beforeEach(async () => {
    context = contextOf(uuidv7());
    connectionId = uuidv7();
    node = {
      node_id: encodeId('node', uuidv7()),
      connection_id: encodeId('connection', connectionId),
      path: 'a/one.md',
      name: 'one.md',
      size_bytes: 10,
      etag: 'v1',
      content_type: 'text/markdown',
    };
    const [job] = await process();
    fileId = job?.file_id ?? '';
  });
  afterAll(() => kiln.close());

  const process = async () => {
    const { connection_id } = node;
    const input = { batch_id: encodeId('batch', uuidv7()), connection_id, processing: {}, pages_limit: null };
    return (await kiln.processConnection.execute(input, context)).jobs;
  };
  const move = (path: string, at: string, tenantId = context.tenantId) => {
    const nodes = [{ nodeId: uuidOf('node', node.node_id), path, name: path.slice(path.lastIndexOf('/') + 1) }];
    const moved = { tenantId, connectionId, movedAt: new Date(at), nodes };
    return kiln.database.transaction((transaction) => kiln.moveNodeFiles.executeWithin(transaction, moved));
  };
  const place = async () => {
    const { filename } = await kiln.readFiles.get({ id: fileId }, context);
    const places = await kiln.links.places(context.tenantId, [uuidOf('file', fileId)]);
    return [places.get(uuidOf('file', fileId))?.path, filename];
  };
  const updates = async () => (await kiln.eventsOf(fileId)).filter((type) => type === 'file.updated').length;

  it('is the same file with the new name, and gets no new job', async () => {
    await move('b/two.md', '2026-11-01T00:00:00Z');
    expect([await place(), await updates()]).toStrictEqual([['b/two.md', 'two.md'], 1]);
    await move('b/two.md', '2026-11-01T00:00:00Z');
    node = { ...node, path: 'b/two.md', name: 'two.md' };
    expect([await place(), await updates(), await process()]).toStrictEqual([['b/two.md', 'two.md'], 1, []]);
  });

  it('keeps the name that a caller has given it, and its name when only the folder changed', async () => {
    await move('b/one.md', '2026-11-01T00:00:00Z');
    expect([await place(), await updates()]).toStrictEqual([['b/one.md', 'one.md'], 0]);
    await kiln.updateFile.execute({ id: fileId, changes: { filename: 'mine.md' } }, context);
    await move('c/two.md', '2026-11-02T00:00:00Z');
    expect(await place()).toStrictEqual(['c/two.md', 'mine.md']);
  });

  it('stays where the last move has put it, when an earlier one arrives late', async () => {
    await move('c/three.md', '2026-11-02T00:00:00Z');
    await move('b/two.md', '2026-11-01T00:00:00Z');
    expect(await place()).toStrictEqual(['c/three.md', 'three.md']);
  });

  it('of another tenant stays where it is', async () => {
    await move('b/two.md', '2026-11-01T00:00:00Z', uuidv7());
    expect(await place()).toStrictEqual(['a/one.md', 'one.md']);
  });
});
