// Real: Postgres, NATS, the object store. Faked: the files and search services (see test/run-harness.ts).
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, sourceKey } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { jobCompleted } from '../jobs/job.events.js';
import { bareOutcome, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { startRuns } from '../test/run-harness.js';
import { EditedFileStore } from './edited-file.store.js';

describe('the jobs of a file that was moved or renamed', () => {
  let kiln: JobsHarness;
  const store = new EditedFileStore();
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const write = (fileId: string, space: string, edits: number) =>
    store.write(kiln.database, { tenantId, fileId, space, filename: `${space}.md`, edits });
  const shown = async () =>
    (await kiln.sql<{ space: string; filename: string }>('select space, filename from jobs order by id')).map(
      ({ space, filename }) => `${space} ${filename}`,
    );

  it('have its newest space and name, in whatever order the events arrive', async () => {
    const fileId = uuidv7();
    for (let count = 0; count < 2; count++) await kiln.add(tenantId, { file_id: encodeId('file', fileId) });
    await write(fileId, 'second', 2);
    await write(fileId, 'first', 1);
    expect(await shown()).toStrictEqual(['second second.md', 'second second.md']);
    await write(fileId, 'third', 3);
    await write(fileId, 'third', 3);
    expect(await shown()).toStrictEqual(['third third.md', 'third third.md']);
  });

  it('have its space and name from their run on, when they were created after the event of the edit', async () => {
    const runs = await startRuns(kiln);
    try {
      const fileId = uuidv7();
      await write(fileId, 'moved', 1);
      await kiln.add(tenantId, { file_id: encodeId('file', fileId) });
      const { job, lease } = await kiln.claimed();
      await runs.objects.put(sourceKey(tenantId, fileId), '# Text', { contentType: 'text/markdown' });
      Object.assign(runs.arrived, { space: 'moved', filename: 'moved.md' });
      await runs.run(job);
      expect(jobCompleted(job, bareOutcome, 1).data).toMatchObject({ space: 'moved', filename: 'moved.md' });
      expect(await shown()).toStrictEqual(['moved moved.md']);
      // The files service has answered before this edit.
      await kiln.leases.release(lease, { error: null, counted: false, delaySeconds: 0 });
      await write(fileId, 'third', 2);
      await runs.run((await kiln.claimed()).job);
      expect(await shown()).toStrictEqual(['third third.md']);
    } finally {
      await runs.close();
    }
  });

  it('are the only ones that change', async () => {
    const fileId = uuidv7();
    await kiln.add(tenantId);
    await kiln.add(uuidv7(), { file_id: encodeId('file', fileId) });
    const before = await shown();
    await write(fileId, 'moved', 1);
    expect(await shown()).toStrictEqual(before);
  });
});
