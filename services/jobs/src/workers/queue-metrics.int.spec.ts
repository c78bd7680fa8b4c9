// Real: the service as its own process (API role), Postgres, NATS. Faked: nothing.
import { eventually, startTestService, type TestService } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';

describe('/metrics of the jobs service', () => {
  let kiln: JobsHarness;
  let service: TestService;
  const tenantId = uuidv7();
  before(async () => {
    kiln = await startJobs();
    await kiln.addMany(tenantId, 3);
    await kiln.claimed();
    service = await startTestService({ name: 'jobs', role: 'api', databaseUrl: kiln.databaseUrl });
  });
  after(async () => {
    await service.stop();
    await kiln.close();
  });

  const metrics = async () => (await fetch(`${service.healthUrl}/metrics`)).text();

  it('shows the queue, with 0 for what is empty, and no tenant', async () => {
    const text = await eventually(async () => {
      const shown = await metrics();
      // The first measure may come between two of the gauges.
      assert.match(shown, /^kiln_jobs_queued/m);
      assert.match(shown, /^kiln_jobs_measure_age_seconds/m);
      return shown;
    });
    const lines = text.split('\n').filter((line) => /^kiln_jobs?_/.test(line));
    const value = (...words: string[]) => {
      const line = lines.find((each) => words.every((word) => each.includes(word)));
      return line === undefined ? undefined : Number(line.split(' ').at(-1));
    };
    assert.equal(value('kiln_jobs_queued', 'tenant_class="live"'), 2);
    assert.equal(value('kiln_jobs_queued', 'tenant_class="test"'), 0);
    assert.ok((value('kiln_jobs_oldest_queued_seconds', 'tenant_class="live"') ?? 0) > 0);
    assert.equal(value('kiln_jobs_processing', 'tenant_class="test"'), 0);
    assert.ok(!text.includes(tenantId));
  });
});
