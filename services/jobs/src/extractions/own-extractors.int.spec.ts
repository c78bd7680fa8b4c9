// Real: Postgres, NATS, the object store, HTTP to an extractor on loopback. Faked: the files and search services (see test/run-harness.ts).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceKey } from '@kiln/contracts';
import { newSecret } from '@kiln/platform';
import { startProviderServer, type ProviderServer } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { startRuns, type RunHarness } from '../test/run-harness.js';

describe("an organization's own extractor, for a file in a connected bucket", () => {
  let kiln: JobsHarness;
  let extractor: ProviderServer;
  let runs: RunHarness;
  beforeAll(async () => {
    [kiln, extractor] = await Promise.all([startJobs(), startProviderServer()]);
    const own = { url: extractor.url, secret: newSecret() };
    runs = await startRuns(kiln, { policy: { extractorOf: () => Promise.resolve(own) } });
    runs.arrived.contentType = 'application/pdf';
  });
  afterAll(async () => {
    await runs.close();
    await Promise.all([extractor.close(), kiln.close()]);
  });

  it('is not sent a URL that contains the credentials of the bucket: the job fails with the reason', async () => {
    await kiln.add(uuidv7(), { processing: { variants: ['markdown'] } });
    const { job } = await kiln.claimed();
    const key = sourceKey(job.tenant_id, job.file_id);
    await runs.objects.put(key, 'the bytes', { contentType: 'application/pdf' });
    const url = await runs.objects.signGet(key, { expiresSeconds: 60 });
    const opened = { bucket: 'theirs', etag_header: 'etag', fault: null, content_type: 'application/pdf' };
    runs.arrived.source = { ...opened, url, url_holds_credentials: true };
    await expect(runs.run(job)).rejects.toMatchObject({
      code: 'provider_unauthorized',
      message: expect.stringMatching(/Connect the container with an application/),
    });
    expect(extractor.requests).toStrictEqual([]);
  });
});
