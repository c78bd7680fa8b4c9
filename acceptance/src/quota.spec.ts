// Quota and usage of an organization whose free plan has 10 pages a month.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { pdfOf } from './support/documents.js';
import { inOneMonth } from './support/in-one-month.js';
import { bodyOf, KilnClient, type CreatedFile, type Answer } from './support/kiln-client.js';
import { kiln, newKey, newOrganization } from './support/operator.config.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

interface Usage {
  period: string;
  pages_used: number;
  pages_limit: number | null;
  plan: string;
  overage_pages: number;
}

const JOB_MS = 120_000;

describe('the quota', () => {
  let system: SystemUnderTest;
  let organizationId: string;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
  });
  afterAll(() => system.stop());

  /** Each starts with a new organization. */
  function itInOneMonth(title: string, test: (month: string) => Promise<void>): void {
    it(title, () =>
      inOneMonth(async (month) => {
        organizationId = await newOrganization(system.dataDir, 'free');
        client = await newClient('live');
        await test(month);
      }),
    );
  }

  const newClient = async (mode: 'live' | 'test') =>
    KilnClient.of(system.client.baseUrl, await newKey(system.dataDir, organizationId, mode));
  const usage = async (of = client) => (await of.get<Usage>('/v1/org/usage')).body;
  const note = (at: number) => client.upload(`${at}.md`, `# Note ${at}\n\nOf a page.`);
  async function completed(files: readonly { body: CreatedFile }[]): Promise<void> {
    for (const { body } of files) expect((await client.waitForJob(body.job_id, JOB_MS)).status).toBe('completed');
  }
  function assertRefused(answer: Answer<unknown>): void {
    const { code, error } = bodyOf(answer, 402) as { code: string; error: string };
    expect(code).toBe('QUOTA_EXCEEDED');
    expect(error).toMatch(/limit of 10 pages.*resets on \d{4}-\d\d-01 00:00:00 UTC.*(Wait|ask)/);
  }

  itInOneMonth(
    'of 100 concurrent uploads against 10 pages, 10 are accepted and complete; 90 are 402',
    async (month) => {
      const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => note(at)));
      const accepted = answers.filter(({ status }) => status === 201);
      expect(accepted).toHaveLength(10);
      const refused = answers.filter(({ status }) => status !== 201);
      for (const answer of refused) assertRefused(answer);
      await completed(accepted);
      expect(await usage()).toStrictEqual({
        period: month,
        pages_used: 10,
        pages_limit: 10,
        plan: 'free',
        overage_pages: 0,
      });
      const { body } = await client.get<{ files: unknown[] }>('/v1/files');
      // Rejected requests leave no data.
      expect(body.files).toHaveLength(10);
    },
  );

  itInOneMonth('when used up, rejects new work and accepts everything else; test mode is unlimited', async () => {
    const spare = (await client.upload('spare.md', 'text', { skip_processing: 'true' })).body;
    const paged = await client.upload('nine.pdf', await pdfOf(...Array.from({ length: 9 }, (_, at) => `Page ${at}`)));
    await completed([paged, await note(1)]);
    expect((await usage()).pages_used).toBe(10);
    const file = { filename: 'a.md' };
    assertRefused(await note(2));
    assertRefused(await client.post('/v1/upload', file));
    assertRefused(await client.post('/v1/files', file));
    assertRefused(await client.post('/v1/upload/batch', { files: [file] }));
    assertRefused(await client.post(`/v1/files/${spare.id}/process`, {}));
    assertRefused(await client.post('/v1/files/process-batch', { file_ids: [spare.id] }));
    assertRefused(await client.post(`/v1/jobs/${paged.body.job_id}/retry`, undefined));
    expect((await client.upload('b.md', 'text', { skip_processing: 'true' })).status).toBe(201);
    expect((await client.get(`/v1/files/${spare.id}`)).status).toBe(200);
    const test = await newClient('test');
    const inTest = await test.upload('c.md', 'text');
    expect(inTest.status).toBe(201);
    expect((await test.waitForJob(inTest.body.job_id, JOB_MS)).status).toBe('completed');
    // Test mode shows the usage of the organization, and adds nothing to it.
    expect((await usage(test)).pages_used).toBe(10);
  });

  itInOneMonth('releases the pages of failed, cancelled and deleted work', async () => {
    const broken = await client.upload('broken.pdf', '%PDF-1.7 and nothing more');
    expect((await client.waitForJob(broken.body.job_id, JOB_MS)).status).toBe('failed');
    const waiting = await Promise.all(
      Array.from({ length: 10 }, () => client.post<CreatedFile>('/v1/upload', { filename: 'a.md' })),
    );
    // The failed job uses none of the 10 pages.
    expect(new Set(waiting.map(({ status }) => status))).toStrictEqual(new Set([201]));
    assertRefused(await client.post('/v1/upload', { filename: 'b.md' }));
    const [first, second] = waiting.map(({ body }) => body);
    if (!first || !second) throw new Error('no first or second');
    expect((await client.post(`/v1/jobs/${first.job_id}/cancel`, undefined)).status).toBe(200);
    const third = await client.post<CreatedFile>('/v1/upload', { filename: 'c.md' });
    // Uses the page of the cancelled job.
    expect(third.status).toBe(201);
    expect((await client.request('DELETE', `/v1/files/${second.id}`)).status).toBe(200);
    const afterDeletion = async () => expect((await client.post('/v1/upload', { filename: 'd.md' })).status).toBe(201);
    await eventually(afterDeletion);
    expect((await usage()).pages_used).toBe(0);
  });

  itInOneMonth('applies a larger plan at once, counts each processing of a file, and reports the overage', async () => {
    const text = await client.upload('long.md', 'word '.repeat(1_900));
    await completed([text]);
    // 9,500 characters.
    expect((await usage()).pages_used).toBe(4);
    await kiln(system.dataDir, 'org', 'set-plan', '--org', organizationId, '--plan', 'pro');
    await eventually(async () => expect((await usage()).plan).toBe('pro'));
    for (let round = 0; round < 3; round++) {
      const again = await client.post<{ job_id: string }>(`/v1/files/${text.body.id}/process`, {});
      expect(again.status).toBe(201);
      expect((await client.waitForJob(again.body.job_id, JOB_MS)).status).toBe('completed');
    }
    const { pages_used, pages_limit, overage_pages } = await usage();
    expect([pages_used, pages_limit, overage_pages]).toStrictEqual([16, 12, 4]);
  });
});
