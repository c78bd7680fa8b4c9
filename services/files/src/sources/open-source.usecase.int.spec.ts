// Real: Postgres, object store. FAKES: the connections service, whose answers the tests choose.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CodedError,
  connectionsOperations,
  conflict,
  encodeId,
  notFound,
  type CallContext,
  type Operation,
} from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';

type Opened = { object: object | null; fault?: object };

describe('the bytes of a file in an external bucket', () => {
  let kiln: FilesHarness;
  let context: CallContext;
  let run: { file_id: string; job_id: string; fence: number };
  let open: (path: string) => Opened = () => ({ object: null });
  /** The present key of the node. */
  let nodePath = 'a.md';
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

  const connectionsAnswer = async (operation: Operation, input: unknown) => {
    if (operation.subject === connectionsOperations.openObject.subject) return open((input as { path: string }).path);
    if (operation.subject === connectionsOperations.getNode.subject) return { path: nodePath };
    if (operation.subject === connectionsOperations.statObjects.subject) return stat();
    if (operation.subject === connectionsOperations.signObject.subject) return { url, expires_in: 3600 };
    throw new Error(operation.subject);
  };
  beforeAll(async () => {
    kiln = await startFiles({ connectionsAnswer });
  });
  beforeEach(async () => {
    context = contextOf(uuidv7());
    open = () => ({ object });
    nodePath = 'a.md';
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
  afterAll(() => kiln.close());

  const begin = () => kiln.runCalls.begin(run, context);
  const openSource = () => kiln.runCalls.beginRuns.openSource(run, context);
  const download = () => kiln.downloadFile.execute({ id: run.file_id }, context);

  it('are given to a run as a signed URL with the expected version, and their type is recorded', async () => {
    const begun = await begin();
    const source = await openSource();
    expect(source).toStrictEqual({
      url,
      url_holds_credentials: false,
      bucket: 'theirs',
      etag_header: 'etag',
      fault: null,
      fault_code: null,
      content_type: 'text/markdown',
    });
    expect([begun.source_etag, begun.is_in_bucket]).toStrictEqual(['v1', true]);
    const file = await kiln.readFiles.get({ id: run.file_id }, context);
    expect(file.content_type).toBe('text/markdown');
  });

  it('give the run a reason and a code when they cannot be read, and do not prevent it from beginning', async () => {
    const refused = (code: string, message: string) => () => ({ object: null, fault: { code, message } });
    const faults: [() => Opened, RegExp, string][] = [
      [() => ({ object: null }), /no longer in the bucket/, 'corrupt_file'],
      [() => ({ object: { ...object, etag: 'v2' } }), /has changed since it was listed/, 'corrupt_file'],
      [refused('access_denied', 'The keys are revoked.'), /keys are revoked/, 'provider_unauthorized'],
      [refused('object_archived', 'It is archived (GLACIER).'), /GLACIER/, 'provider_unavailable'],
      [refused('bucket_not_found', 'There is no such bucket.'), /no such bucket/, 'provider_unavailable'],
      [
        () => {
          throw notFound('No connection has this id.');
        },
        /connection .* has been deleted/,
        'provider_unauthorized',
      ],
      [
        () => {
          throw conflict('The bucket refused the credentials.');
        },
        /refused the credentials/,
        'provider_unauthorized',
      ],
    ];
    for (const [answer, fault, code] of faults) {
      open = answer;
      await begin();
      const source = await openSource();
      expect(source.url).toBeNull();
      expect(source.fault ?? '').toMatch(fault);
      expect(source.fault_code).toBe(code);
    }
  });

  it('are read at the present key of the node, if the link to the file was written after the node had moved', async () => {
    open = (path) => ({ object: path === 'b/a.md' ? object : null });
    nodePath = 'b/a.md';
    await begin();
    expect(await openSource()).toMatchObject({ url, fault: null });
    const paths = 'select path from connection_files where tenant_id = $1';
    expect(await kiln.sql(paths, [context.tenantId])).toStrictEqual([{ path: 'b/a.md' }]);
  });

  it('refuse the run with the reason, and do not fail the file, while the bucket does not answer', async () => {
    open = () => {
      throw new CodedError('BUCKET_UNAVAILABLE', 'The bucket theirs answered 503.');
    };
    await begin();
    await expect(openSource()).rejects.toMatchObject({
      code: 'BUCKET_UNAVAILABLE',
      message: 'The bucket theirs answered 503.',
    });
  });

  it('are downloaded from the bucket, and processed again in their current version', async () => {
    expect(await download()).toStrictEqual({ url, expires_in: 3600 });
    stat = () => ({ objects: [{ etag: 'v2', size_bytes: 20 }] });
    const job_id = encodeId('job', uuidv7());
    const again = () =>
      kiln.processFiles.execute({ batch_id: null, files: [{ file_id: run.file_id, job_id }], processing: {} }, context);
    expect((await again()).jobs).toHaveLength(1);
    const file = await kiln.readFiles.get({ id: run.file_id }, context);
    expect([file.size_bytes, file.job_id]).toStrictEqual([20, job_id]);
    stat = () => ({ objects: [null] });
    const { errors } = await kiln.processFiles.execute(
      { batch_id: null, files: [{ file_id: run.file_id, job_id: encodeId('job', uuidv7()) }], processing: {} },
      context,
    );
    expect(errors[0]?.code).toBe('CONFLICT');
  });

  it('stay in the bucket when the file is deleted', async () => {
    await kiln.deleteFiles.one({ id: run.file_id }, context);
    expect(await kiln.sql('select 1 from connection_files where tenant_id = $1', [context.tenantId])).toHaveLength(0);
    await expect(download()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
