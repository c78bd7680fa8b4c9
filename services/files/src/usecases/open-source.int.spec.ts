// Real: Postgres, object store. FAKES: the connections service, which answers what a test lets it.
import {
  CodedError,
  connectionsOperations,
  conflict,
  encodeId,
  notFound,
  type CallContext,
  type Operation,
} from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';

type Opened = { object: object | null };

describe('the bytes of a file in a connected bucket', () => {
  let kiln: FilesHarness;
  let context: CallContext;
  let run: { file_id: string; job_id: string; fence: number };
  let open: () => Opened = () => ({ object: null });
  let stat: () => { objects: ({ etag: string; size_bytes: number } | null)[] } = () => ({ objects: [null] });
  const url = 'https://bucket.example.com/a.md?signed';
  const object = {
    url,
    bucket: 'theirs',
    etag: 'v1',
    etag_header: 'etag',
    size_bytes: 10,
    content_type: 'text/markdown',
  };

  const connectionsAnswer = async (operation: Operation) => {
    if (operation.subject === connectionsOperations.openObject.subject) return open();
    if (operation.subject === connectionsOperations.statObjects.subject) return stat();
    if (operation.subject === connectionsOperations.signObject.subject) return { url, expires_in: 3600 };
    throw new Error(operation.subject);
  };
  before(async () => {
    kiln = await startFiles({ connectionsAnswer });
  });
  beforeEach(async () => {
    context = contextOf(uuidv7());
    open = () => ({ object });
    const node = {
      node_id: encodeId('node', uuidv7()),
      connection_id: encodeId('connection', uuidv7()),
      path: 'a.md',
      name: 'a.md',
      size_bytes: 10,
      etag: 'v1',
      content_type: 'text/plain',
    };
    const ids = { file_id: encodeId('file', uuidv7()), job_id: encodeId('job', uuidv7()) };
    const made = await kiln.processNode.execute({ node, ...ids, processing: {} }, context);
    run = { file_id: made.file_id, job_id: made.job_id, fence: 1 };
  });
  after(() => kiln.close());

  const begin = () => kiln.processFile.begin(run, context);
  const download = () => kiln.downloadFile.execute({ id: run.file_id }, context);

  it('are told to a run by a signed URL with the version to expect, and their type is kept', async () => {
    const begun = await begin();
    assert.deepEqual(begun.source, { url, bucket: 'theirs', etag_header: 'etag', fault: null });
    assert.deepEqual([begun.source_etag, begun.content_type], ['v1', 'text/markdown']);
    const file = await kiln.readFiles.get({ id: run.file_id }, context);
    assert.equal(file.content_type, 'text/markdown');
  });

  it('that can not be read are told to the run in words, which ends the job and not the begin', async () => {
    const faults: [() => Opened, RegExp][] = [
      [() => ({ object: null }), /no longer in the bucket/],
      [() => ({ object: { ...object, etag: 'v2' } }), /another one than when it was listed/],
      [
        () => {
          throw notFound('No connection has this id.');
        },
        /connection .* has been deleted/,
      ],
      [
        () => {
          throw conflict('The bucket refused the credentials.');
        },
        /refused the credentials/,
      ],
    ];
    for (const [answer, fault] of faults) {
      open = answer;
      const { source } = await begin();
      assert.equal(source?.url, null);
      assert.match(source?.fault ?? '', fault);
    }
  });

  it('in a bucket that does not answer now are no fault of the file: the begin is refused with the reason', async () => {
    open = () => {
      throw new CodedError('BUCKET_UNAVAILABLE', 'The bucket theirs answered 503.');
    };
    await assert.rejects(begin(), { code: 'BUCKET_UNAVAILABLE', message: 'The bucket theirs answered 503.' });
  });

  it('are downloaded from the bucket, and processed again in the version that is there now', async () => {
    assert.deepEqual(await download(), { url, expires_in: 3600 });
    stat = () => ({ objects: [{ etag: 'v2', size_bytes: 20 }] });
    const job_id = encodeId('job', uuidv7());
    const again = () =>
      kiln.processFiles.execute({ batch_id: null, files: [{ file_id: run.file_id, job_id }], processing: {} }, context);
    assert.equal((await again()).jobs.length, 1);
    const file = await kiln.readFiles.get({ id: run.file_id }, context);
    assert.deepEqual([file.size_bytes, file.job_id], [20, job_id]);
    stat = () => ({ objects: [null] });
    const { errors } = await kiln.processFiles.execute(
      { batch_id: null, files: [{ file_id: run.file_id, job_id: encodeId('job', uuidv7()) }], processing: {} },
      context,
    );
    assert.equal(errors[0]?.code, 'CONFLICT');
  });

  it('go with nothing of their own when the file is deleted', async () => {
    await kiln.deleteFiles.one({ id: run.file_id }, context);
    assert.equal((await kiln.sql('select 1 from connection_files where tenant_id = $1', [context.tenantId])).length, 0);
    await assert.rejects(download(), { code: 'NOT_FOUND' });
  });
});
