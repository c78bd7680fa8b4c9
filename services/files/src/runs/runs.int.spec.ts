// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, outputKey, uuidOf, type MadeVariant } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { RecordFailure } from '../processing/record-failure.usecase.js';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

/** A variant whose content is an object. */
const small = (type: 'markdown' | 'metadata', content: string): MadeVariant => ({
  type,
  content_type: 'text/plain',
  size_bytes: Buffer.byteLength(content),
  provider: 'document_extractor',
  content,
  content_key: null,
});

const superseded = { code: 'SUPERSEDED' };

describe('a run of a file', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  async function register() {
    const input = storedFile();
    await kiln.registerFiles.stored(input, context);
    const { file_id } = input;
    const job_id = input.job_id ?? '';
    const fileId = uuidOf('file', file_id);
    const jobId = uuidOf('job', job_id);
    const run = (fence: number) => ({ file_id, job_id, fence });
    const commit = async (
      fence: number,
      { key, type = 'markdown' }: { key?: string; type?: 'markdown' | 'searchable-index' } = {},
    ) => {
      const ownKey = outputKey(context.tenantId, fileId, jobId, fence, 'markdown.md');
      await kiln.objects.put(ownKey, 'hello', { contentType: 'text/markdown' });
      return kiln.runCalls.commit(
        {
          ...run(fence),
          type,
          content_type: 'text/markdown',
          size_bytes: 5,
          provider: 'document_extractor',
          content_key: key ?? ownKey,
        },
        context,
      );
    };
    return {
      file_id,
      run,
      fileId,
      jobId,
      commit,
      begin: (fence: number) => kiln.runCalls.begin(run(fence), context),
      finish: (fence: number) => kiln.runCalls.finish(run(fence), context),
      fail: (fence: number, ofJob = jobId) =>
        kiln.database.transaction((transaction) =>
          new RecordFailure(kiln.fileJobs).execute(transaction, { ...context, fileId, jobId: ofJob, fence }),
        ),
      read: () => kiln.readFiles.get({ id: file_id }, context),
      move: () => kiln.updateFile.execute({ id: file_id, changes: { space: 'moved' } }, context),
      updates: async () => (await kiln.eventsOf(file_id)).filter((type) => type === 'file.updated').length,
      ready: async () => (await kiln.eventsOf(file_id)).filter((type) => type === 'variant.ready').length,
    };
  }

  it('can begin again until a newer run has begun', async () => {
    const file = await register();
    await file.begin(2);
    await file.begin(2);
    await expect(file.begin(1)).rejects.toMatchObject(superseded);
    await file.begin(3);
    expect((await file.read()).status).toBe('processing');
  });

  it('that is no longer the newest commits nothing visible', async () => {
    const file = await register();
    await file.begin(1);
    await file.begin(2);
    await expect(file.commit(1)).rejects.toMatchObject(superseded);
    await expect(file.finish(1)).rejects.toMatchObject(superseded);
    expect((await file.read()).variants).toStrictEqual([]);
    expect(await file.ready()).toBe(0);
  });

  it('commits a variant once, however often it is repeated', async () => {
    const file = await register();
    await file.begin(1);
    await file.commit(1);
    const [first] = (await file.read()).variants;
    await Promise.all([file.commit(1), file.commit(1)]);
    expect((await file.read()).variants).toStrictEqual([first]);
    expect(await file.ready()).toBe(1);
  });

  it('receives the variants that earlier runs of its job have committed', async () => {
    const file = await register();
    await file.begin(1);
    await file.commit(1);
    const { variants } = await file.begin(2);
    expect(variants.map(({ type }) => type)).toStrictEqual(['markdown']);
    expect(await file.finish(2)).toStrictEqual(['markdown']);
  });

  it('announces the changes that the index of an earlier run does not have, also when that run began twice', async () => {
    const file = await register();
    await file.begin(1);
    await file.move();
    await file.commit(1, { type: 'searchable-index' });
    await file.begin(2);
    await file.begin(3);
    expect(await file.updates()).toBe(1);
    await file.finish(3);
    expect(await file.updates()).toBe(2);
  });

  it('announces no changes that were made before it began and indexed the file', async () => {
    const file = await register();
    await file.begin(1);
    await file.move();
    await file.commit(1);
    await file.begin(2);
    await file.commit(2, { type: 'searchable-index' });
    await file.finish(2);
    expect(await file.updates()).toBe(1);
  });

  it('makes small variants visible when it finishes, with one event for all, however often it is repeated', async () => {
    const file = await register();
    await file.begin(1);
    const variants = [small('markdown', '# The Pangolin'), small('metadata', '{"title":"Pangolin"}')];
    const ended = { ...file.run(1), variants };
    expect(await kiln.runCalls.finish(ended, context)).toStrictEqual(['markdown', 'metadata']);
    expect(await kiln.runCalls.finish(ended, context)).toStrictEqual(['markdown', 'metadata']);
    const { status, variants: shown } = await file.read();
    expect(status).toBe('completed');
    expect(shown.map(({ type, size_bytes }) => [type, size_bytes])).toStrictEqual([
      ['markdown', 14],
      ['metadata', 20],
    ]);
    expect(await file.ready()).toBe(1);
  });

  it('gets its own answer among runs that begin and finish in the same call', async () => {
    const [first, late, gone] = [await register(), await register(), await register()];
    await late.begin(2);
    const entries = [first.run(1), late.run(1), { ...gone.run(1), file_id: encodeId('file', uuidv7()) }];
    const begun = await kiln.runCalls.beginRuns.begin({ runs: entries }, context);
    expect(begun.runs.map(({ file, refusal }) => [file !== null, refusal?.code ?? null])).toStrictEqual([
      [true, null],
      [false, 'SUPERSEDED'],
      [false, 'SUPERSEDED'],
    ]);
    const runs = entries.map((run) => ({ ...run, sha256: null, variants: [small('markdown', 'text')] }));
    const finished = await kiln.runCalls.finishRuns.finish({ runs }, context);
    expect(finished.runs.map(({ variants, refusal }) => [variants, refusal?.code ?? null])).toStrictEqual([
      [['markdown'], null],
      [null, 'SUPERSEDED'],
      [null, 'SUPERSEDED'],
    ]);
    expect([(await first.read()).status, (await late.read()).status]).toStrictEqual(['completed', 'processing']);
    expect((await late.read()).variants).toStrictEqual([]);
  });

  it('under an older fence writes nothing, even in the same call as the newer run of its file', async () => {
    const file = await register();
    await file.begin(2);
    const runs = [1, 2].map((fence) => ({
      ...file.run(fence),
      sha256: null,
      variants: [small('markdown', `by ${fence}`.padEnd(fence * 10))],
    }));
    const finished = await kiln.runCalls.finishRuns.finish({ runs }, context);
    expect(finished.runs.map(({ refusal }) => refusal?.code ?? null)).toStrictEqual(['SUPERSEDED', null]);
    expect((await file.read()).variants.map(({ size_bytes }) => size_bytes)).toStrictEqual([20]);
  });

  it('commits nothing after it has finished or failed', async () => {
    const [finished, failed] = [await register(), await register()];
    await finished.begin(1);
    await finished.finish(1);
    await finished.finish(1);
    await expect(finished.commit(1)).rejects.toMatchObject(superseded);
    await expect(finished.begin(1)).rejects.toMatchObject(superseded);
    expect((await finished.read()).status).toBe('completed');
    await failed.begin(1);
    await failed.fail(1);
    await expect(failed.commit(1)).rejects.toMatchObject(superseded);
    await expect(failed.finish(1)).rejects.toMatchObject(superseded);
    await expect(failed.begin(1)).rejects.toMatchObject(superseded);
    expect((await failed.read()).status).toBe('failed');
  });

  it('can refer only to objects under its own prefix', async () => {
    const file = await register();
    await file.begin(1);
    const [tenant, other] = [context.tenantId, uuidv7()];
    const keys = [
      outputKey(other, file.fileId, file.jobId, 1, 'markdown.md'),
      outputKey(tenant, other, file.jobId, 1, 'markdown.md'),
      outputKey(tenant, file.fileId, other, 1, 'markdown.md'),
      outputKey(tenant, file.fileId, file.jobId, 2, 'markdown.md'),
      outputKey(tenant, file.fileId, file.jobId, 1, `../../../../${other}/source`),
      outputKey(tenant, file.fileId, file.jobId, 1, '..'),
      `${tenant}/${file.fileId}/source`,
      '',
    ];
    for (const key of keys) await expect(file.commit(1, { key })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await file.read()).variants).toStrictEqual([]);
  });

  it('cannot begin while the bytes are missing', async () => {
    const input = directUpload();
    await kiln.registerFiles.upload(input, context);
    const run = { file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 };
    await expect(kiln.runCalls.begin(run, context)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/bytes/),
    });
  });

  it('that failed fails its file, unless the file has a newer run or another job', async () => {
    const file = await register();
    await file.begin(2);
    await file.fail(1);
    await file.fail(2, uuidv7());
    expect((await file.read()).status).toBe('processing');
    await file.fail(2);
    expect((await file.read()).status).toBe('failed');
    await file.begin(3);
    expect((await file.read()).status).toBe('processing');
  });
});
