// Real: the service as its own process (API role), Postgres, NATS. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startTestService, type TestService } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { startJobs, type JobsHarness } from '../test/jobs-harness.js';

describe('/metrics of the jobs service', () => {
  let kiln: JobsHarness;
  let service: TestService;
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startJobs();
    await kiln.addMany(tenantId, 3);
    await kiln.claimed();
    service = await startTestService({ name: 'jobs', role: 'api', databaseUrl: kiln.databaseUrl });
  });
  afterAll(async () => {
    await service.stop();
    await kiln.close();
  });

  const metrics = async () => (await fetch(`${service.healthUrl}/metrics`)).text();

  it('show the queue, with 0 for empty series, and name no tenant', async () => {
    const text = await eventually(async () => {
      const shown = await metrics();
      // The first measure may come between two of the gauges.
      expect(shown).toMatch(/^kiln_jobs_queued/m);
      expect(shown).toMatch(/^kiln_jobs_measure_age_seconds/m);
      return shown;
    });
    const lines = text.split('\n').filter((line) => /^kiln_jobs?_/.test(line));
    const value = (...words: string[]) => {
      const line = lines.find((each) => words.every((word) => each.includes(word)));
      return line === undefined ? undefined : Number(line.split(' ').at(-1));
    };
    expect(value('kiln_jobs_queued', 'tenant_class="live"')).toBe(2);
    expect(value('kiln_jobs_queued', 'tenant_class="test"')).toBe(0);
    expect(value('kiln_jobs_oldest_queued_seconds', 'tenant_class="live"') ?? 0).toBeGreaterThan(0);
    expect(value('kiln_jobs_processing', 'tenant_class="test"')).toBe(0);
    expect(text).not.toContain(tenantId);
  });
});
