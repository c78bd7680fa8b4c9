// Real: Postgres, NATS, the object store, HTTP to an extractor on loopback. Faked: the files and search services (see test/run-harness.ts), and
// the gateway, which has taken a result.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { extractionRequestSchema, sourceKey, uuidOf } from '@kiln/contracts';
import { newSecret } from '@kiln/platform';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { leaseOf, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { startRuns, type RunHarness } from '../test/run-harness.js';
import { ExtractionAwaited } from './asked-extraction.domain.js';
import { ExtractionStore } from './extraction.store.js';

describe("an organization's own extractor, whose result storage has lost", () => {
  let kiln: JobsHarness;
  let extractor: ProviderServer;
  let runs: RunHarness;
  beforeAll(async () => {
    [kiln, extractor] = await Promise.all([startJobs(), startProviderServer()]);
    const own = { url: extractor.url, secret: newSecret() };
    runs = await startRuns(kiln, {
      environment: { KILN_CALLBACK_URL: 'https://kiln.example' },
      policy: { extractorOf: () => Promise.resolve(own) },
    });
    runs.arrived.contentType = 'application/pdf';
  });
  afterAll(async () => {
    await runs.close();
    await Promise.all([extractor.close(), kiln.close()]);
  });

  it('is asked anew under another id, and may begin its answer with a byte order mark', async () => {
    await kiln.add(uuidv7(), { processing: { variants: ['markdown'] } });
    const { job } = await kiln.claimed();
    await runs.objects.put(sourceKey(job.tenant_id, job.file_id), 'bytes', { contentType: 'application/pdf' });
    extractor.next(misbehaviour.status(202, {}, ''), misbehaviour.text('\ufeff{"markdown":"# Kilns"}'));
    await expect(runs.run(job)).rejects.toBeInstanceOf(ExtractionAwaited);
    const idOf = (at: number) => extractionRequestSchema.parse(extractor.requests[at]?.json).id;
    const place = { tenantId: job.tenant_id, jobId: job.id, extractionId: uuidOf('extraction', idOf(0)) };
    const extractions = new ExtractionStore(kiln.database);
    expect(await extractions.answer(place, 'outputs/lost.json')).not.toBeNull();
    expect(await extractions.find(leaseOf(job))).toMatchObject({ result_key: 'outputs/lost.json' });
    await runs.run(job);
    expect(await runs.contentOf('markdown')).toBe('# Kilns\n');
    expect(idOf(1)).not.toBe(idOf(0));
  });
});
