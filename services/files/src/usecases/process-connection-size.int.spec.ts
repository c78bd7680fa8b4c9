// Real: Postgres. FAKES: the connections service, which lists the nodes of a bucket in memory.
import { CONNECTION_FILES_PER_CALL_MAX, connectionsOperations, encodeId, MESSAGE_BYTES_MAX } from '@kiln/contracts';
import type { Operation, OperationInput } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles } from '../test/files-harness.js';

type Listing = OperationInput<typeof connectionsOperations.listFileNodes>;

const connection_id = encodeId('connection', uuidv7());
const nodes = Array.from({ length: 1_000 }, (_, at) => ({
  node_id: encodeId('node', uuidv7()),
  connection_id,
  path: `${at}.md`,
  name: `${at}${'"'.repeat(240)}.md`,
  size_bytes: 10,
  etag: 'v1',
  content_type: `text/markdown; ${'"'.repeat(240)}`,
}));

async function connectionsAnswer({ subject }: Operation, input: unknown) {
  assert.equal(subject, connectionsOperations.listFileNodes.subject);
  const { after, limit } = input as Listing;
  const rest = nodes.filter(({ node_id }) => after === null || node_id > after);
  return { nodes: rest.slice(0, limit), is_last: rest.length < limit };
}

it('processing a connection answers as many jobs as fit into a message, and the rest follows', async () => {
  const kiln = await startFiles({ connectionsAnswer, filesPerCallMax: CONNECTION_FILES_PER_CALL_MAX });
  const processing = { embedding_model: '\u0001'.repeat(128) };
  const input = { batch_id: encodeId('batch', uuidv7()), connection_id, processing, pages_limit: null };
  const answer = await kiln.processConnection.execute(input, contextOf(uuidv7()));
  assert.ok(Buffer.byteLength(JSON.stringify(answer)) <= MESSAGE_BYTES_MAX);
  assert.equal(answer.rest, 'follows');
  assert.ok(answer.jobs.length >= 200);
  await kiln.close();
});
