// Real: Postgres with the settings of 5,000 organizations. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Queryable } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { jobRequest, startJobs, type JobsHarness } from '../../test/jobs-harness.js';

describe('settings of an organization', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterAll(() => kiln.close());

  it('cost a new job look-ups by key alone', async () => {
    const tenants = Array.from({ length: 5_000 }, () => uuidv7());
    await kiln.sql('insert into organization_settings (tenant_id) select unnest($1::uuid[])', [tenants]);
    await kiln.sql('analyze organization_settings');
    const sent: { text: string; values: unknown[] | undefined }[] = [];
    const recording: Queryable = {
      query: (statement, values) => {
        sent.push({ text: statement.text, values });
        return kiln.database.query(statement, values);
      },
    };
    const request = jobRequest(uuidv7());
    await kiln.jobBatches.upsert(recording, uuidv7(), [{ request, provider: 'document_extractor' }]);
    // One makes the job and puts its tenant in line.
    expect(sent).toHaveLength(1);
    const [insert] = sent;
    if (!insert) throw new Error('no insert');
    const lines = await kiln.sql<{ 'QUERY PLAN': string }>(`explain (analyze) ${insert.text}`, insert.values);
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (Only )?Scan using organization_settings_pkey/);
    expect(plan).not.toMatch(/Seq Scan on organization_settings/);
  });
});
