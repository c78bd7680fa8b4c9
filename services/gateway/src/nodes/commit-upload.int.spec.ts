// Real: gateway process, Postgres, NATS, Redis, object store. FAKES: the services (see test/fake-services.ts).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectionsOperations, encodeId, filesOperations } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { ServedGateway } from '../test/served-gateway.js';

describe('the commit of an upload into a bucket', () => {
  let gateway: ServedGateway;
  beforeAll(async () => {
    gateway = await ServedGateway.start();
  });
  afterAll(() => gateway.stop());

  it.each(['processing', 'completed', 'failed', 'cancelled'] as const)(
    'answers a repeat with the first job and its status: %s',
    async (status) => {
      gateway.fakes.reset();
      const [node_id, connection_id] = [encodeId('node', uuidv7()), encodeId('connection', uuidv7())];
      const node = { node_id, connection_id, path: 'a.md', name: 'a.md', size_bytes: 7, etag: 'e', content_type: null };
      gateway.fakes.override(connectionsOperations.commitNodeUpload, () => Promise.resolve(node));
      // The service keeps the file and the job of the first call.
      gateway.fakes.override(filesOperations.processNode, () => {
        const [first, ...repeats] = gateway.fakes.callsOf(filesOperations.processNode).map(({ input }) => input);
        if (!first) throw new Error('no call');
        const { file_id, job_id } = first;
        const about = { file_id, job_id, space: 'default', filename: 'a.md', content_type: null, size_bytes: 7 };
        const job = repeats.length === 0 ? { ...about, batch_id: null, ready: true, processing: {} } : null;
        return Promise.resolve({ file_id, job_id, job });
      });
      const commit = async () => {
        const init = {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ node_id }),
        };
        const response = await gateway.process.fetch('/v1/nodes/upload/commit', init);
        return (await gateway.responses.check('POST', '/v1/nodes/upload/commit', response)) as { job_id: string };
      };
      const first = await commit();
      expect(first).toStrictEqual({ node_id, file_id: expect.any(String), job_id: first.job_id, status: 'queued' });
      const job = gateway.fakes.jobs.get(first.job_id);
      if (!job) throw new Error('no job');
      gateway.fakes.jobs.set(first.job_id, { ...job, status });
      expect(await commit()).toStrictEqual({ ...first, status });
    },
  );
});
