// What an organization may use, and what it has used. The suite launches a system of its own, whose free plan holds 10 pages a
// month, and acts as its operator, too.
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { pdfOf } from './support/documents.js';
import { eventually } from './support/eventually.js';
import { KilnClient, type CreatedFile } from './support/kiln-client.js';
import { kiln, newKey, newOrganization } from './support/operator.config.js';

interface Usage {
  period: string;
  pages_used: number;
  pages_limit: number | null;
  plan: string;
  overage_pages: number;
}

const SYSTEM_MS = 30_000;
const JOB_MS = 120_000;

describe('the quota', () => {
  let system: RunningSystem;
  let organizationId: string;
  let client: KilnClient;
  before(async () => {
    system = await startSystem({ environment: { KILN_PLAN_PAGES: 'free=10:stop,pro=12' } });
  });
  after(() => system.stop());
  beforeEach(async () => {
    organizationId = await newOrganization(system.dataDir, 'free');
    client = await newClient('live');
  });

  const newClient = async (mode: 'live' | 'test') =>
    KilnClient.of(system.baseUrl, await newKey(system.dataDir, organizationId, mode));
  const usage = async (of = client) => (await of.get<Usage>('/v1/org/usage')).body;
  const note = (at: number) => client.upload(`${at}.md`, `# Note ${at}\n\nOf a page.`);
  async function completed(files: readonly { body: CreatedFile }[]): Promise<void> {
    for (const { body } of files) assert.equal((await client.waitForJob(body.job_id, JOB_MS)).status, 'completed');
  }
  function assertRefused({ status, body }: { status: number; body: unknown }, about: string): void {
    const { code, error } = body as { code: string; error: string };
    assert.deepEqual([status, code], [402, 'QUOTA_EXCEEDED'], `${about}: ${error}`);
    assert.match(error, /limit of 10 pages.*resets on \d{4}-\d\d-01 00:00:00 UTC.*(Wait|ask)/, about);
  }

  it('100 uploads at a time against 10 pages: 10 are accepted and complete, also when their worker is killed; 90 are 402', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => note(at)));
    const accepted = answers.filter(({ status }) => status === 201);
    assert.equal(accepted.length, 10);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused) assertRefused(answer, 'an upload');
    const worker = system.runJson().services.find(({ name, role }) => name === 'jobs' && role === 'worker');
    assert.ok(worker);
    process.kill(worker.pid, 'SIGKILL');
    await completed(accepted);
    const month = new Date().toISOString().slice(0, 7);
    assert.deepEqual(await usage(), { period: month, pages_used: 10, pages_limit: 10, plan: 'free', overage_pages: 0 });
    const { body } = await client.get<{ files: unknown[] }>('/v1/files');
    assert.equal(body.files.length, 10, 'what was refused has left nothing');
  });

  it('once it is used up, nothing that makes work is accepted; all else is, and test mode has pages of its own without end', async () => {
    const spare = (await client.upload('spare.md', 'text', { skip_processing: 'true' })).body;
    const paged = await client.upload('nine.pdf', await pdfOf(...Array.from({ length: 9 }, (_, at) => `Page ${at}`)));
    await completed([paged, await note(1)]);
    assert.equal((await usage()).pages_used, 10);
    const file = { filename: 'a.md' };
    assertRefused(await note(2), 'a multipart upload');
    assertRefused(await client.post('/v1/upload', file), 'a JSON upload');
    assertRefused(await client.post('/v1/files', file), 'POST /v1/files');
    assertRefused(await client.post('/v1/upload/batch', { files: [file] }), 'a batch');
    assertRefused(await client.post(`/v1/files/${spare.id}/process`, {}), 'process');
    assertRefused(await client.post('/v1/files/process-batch', { file_ids: [spare.id] }), 'process-batch');
    assertRefused(await client.post(`/v1/jobs/${paged.body.job_id}/retry`, undefined), 'retry');
    assert.equal((await client.upload('b.md', 'text', { skip_processing: 'true' })).status, 201);
    assert.equal((await client.get(`/v1/files/${spare.id}`)).status, 200);
    const test = await newClient('test');
    const inTest = await test.upload('c.md', 'text');
    assert.equal(inTest.status, 201);
    assert.equal((await test.waitForJob(inTest.body.job_id, JOB_MS)).status, 'completed');
    assert.equal((await usage(test)).pages_used, 10, 'the organization is told, its test plane counts nothing');
  });

  it('work that fails, is cancelled or is deleted gives its pages back', async () => {
    const broken = await client.upload('broken.pdf', '%PDF-1.7 and nothing more');
    assert.equal((await client.waitForJob(broken.body.job_id, JOB_MS)).status, 'failed');
    const waiting = await Promise.all(
      Array.from({ length: 10 }, () => client.post<CreatedFile>('/v1/upload', { filename: 'a.md' })),
    );
    assert.deepEqual(
      new Set(waiting.map(({ status }) => status)),
      new Set([201]),
      'the failed one holds none of 10 pages',
    );
    assertRefused(await client.post('/v1/upload', { filename: 'b.md' }), 'the eleventh');
    const [first, second] = waiting.map(({ body }) => body);
    assert.ok(first && second);
    assert.equal((await client.post(`/v1/jobs/${first.job_id}/cancel`, undefined)).status, 200);
    const third = await client.post<CreatedFile>('/v1/upload', { filename: 'c.md' });
    assert.equal(third.status, 201, 'in place of the cancelled one');
    assert.equal((await client.request('DELETE', `/v1/files/${second.id}`)).status, 200);
    const afterDeletion = async () =>
      assert.equal((await client.post('/v1/upload', { filename: 'd.md' })).status, 201, 'in place of the deleted one');
    await eventually(afterDeletion, { timeoutMs: SYSTEM_MS });
    assert.equal((await usage()).pages_used, 0);
  });

  it('a larger plan goes on at once, counts each time a file is processed, and tells what goes beyond its pages', async () => {
    const text = await client.upload('long.md', 'word '.repeat(1_900));
    await completed([text]);
    assert.equal((await usage()).pages_used, 4, '9,500 characters');
    await kiln(system.dataDir, 'org', 'set-plan', '--org', organizationId, '--plan', 'pro');
    await eventually(async () => assert.equal((await usage()).plan, 'pro'), { timeoutMs: SYSTEM_MS });
    for (let round = 0; round < 3; round++) {
      const again = await client.post<{ job_id: string }>(`/v1/files/${text.body.id}/process`, {});
      assert.equal(again.status, 201);
      assert.equal((await client.waitForJob(again.body.job_id, JOB_MS)).status, 'completed');
    }
    const { pages_used, pages_limit, overage_pages } = await usage();
    assert.deepEqual([pages_used, pages_limit, overage_pages], [16, 12, 4]);
  });
});
