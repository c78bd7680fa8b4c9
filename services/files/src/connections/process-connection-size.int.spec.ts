// Real: Postgres. FAKES: the connections service, which lists the nodes of a bucket in memory.
import { expect, it } from '@jest/globals';
import { CONNECTION_FILES_PER_CALL_MAX, connectionsOperations, encodeId, MESSAGE_BYTES_MAX } from '@kiln/contracts';
import type { Operation, OperationInput } from '@kiln/contracts';
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
  expect(subject).toBe(connectionsOperations.listFileNodes.subject);
  const { after, limit } = input as Listing;
  const rest = nodes.filter(({ node_id }) => after === null || node_id > after);
  return { nodes: rest.slice(0, limit), is_last: rest.length < limit };
}

it('processing a connection returns as many jobs as fit into a message, and queues the rest in the background', async () => {
  const kiln = await startFiles({ connectionsAnswer, filesPerCallMax: CONNECTION_FILES_PER_CALL_MAX });
  const processing = { embedding_model: '\u0001'.repeat(128) };
  const input = { batch_id: encodeId('batch', uuidv7()), connection_id, processing, pages_limit: null };
  const answer = await kiln.processConnection.execute(input, contextOf(uuidv7()));
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(MESSAGE_BYTES_MAX);
  expect(answer.rest).toBe('follows');
  expect(answer.jobs.length).toBeGreaterThanOrEqual(200);
  await kiln.close();
});
