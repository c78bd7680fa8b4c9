// Analytics over HTTP: the numbers are what the lists show, soon after each change and after processes were killed. The
// suite launches its own system, because it compares whole lists and kills processes.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { bodyOf, KilnClient, type CreatedFile } from './support/kiln-client.js';
import { putBytes } from './support/stored-files.js';

interface Overview {
  total_files: number;
  total_jobs: number;
  total_variants: number;
  total_connections: number;
  success_rate: number;
  files_by_status: Record<string, number>;
}
interface Row {
  id: string;
  status: string;
  space: string;
  size_bytes: number | null;
  content_type: string | null;
}
interface Day {
  date: string;
  uploads: number;
  uploaded_bytes: number;
  processed: number;
  failed: number;
}

const STATUSES = ['uploading', 'uploaded', 'processing', 'completed', 'failed'];

describe('analytics', () => {
  let system: RunningSystem;
  let client: KilnClient;
  beforeAll(async () => {
    system = await startSystem({ environment: { KILN_ANALYTICS_RECONCILE_SECONDS: '5' } });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  });
  afterAll(() => system.stop());

  const read = async <Body>(path: string, on = client) => bodyOf(await on.get<Body>(path), 200);
  async function all<Item>(path: string, name: string, on = client): Promise<Item[]> {
    const items: Item[] = [];
    for (let cursor = ''; ;) {
      const page = await read<{ next_cursor: string | null; [name: string]: unknown }>(
        `${path}?limit=200${cursor}`,
        on,
      );
      items.push(...(page[name] as Item[]));
      if (!page.next_cursor) return items;
      cursor = `&cursor=${page.next_cursor}`;
    }
  }

  /** What the overview must be, according to the lists. */
  async function listed(on = client): Promise<Overview> {
    const files = await all<Row>('/v1/files', 'files', on);
    const jobs = await all<Row>('/v1/jobs', 'jobs', on);
    const { connections } = await read<{ connections: unknown[] }>('/v1/connections', on);
    let variants = 0;
    for (const { id } of files) {
      variants += (await read<{ variants: unknown[] }>(`/v1/files/${id}/variants`, on)).variants.length;
    }
    const countOf = (rows: Row[], status: string) => rows.filter((row) => row.status === status).length;
    const [completed, failed] = [countOf(jobs, 'completed'), countOf(jobs, 'failed')];
    return {
      total_files: files.length,
      total_jobs: jobs.length,
      total_variants: variants,
      total_connections: connections.length,
      success_rate: completed + failed === 0 ? 0 : completed / (completed + failed),
      files_by_status: Object.fromEntries(STATUSES.map((status) => [status, countOf(files, status)])),
    };
  }
  async function overviewEqualsLists(on = client): Promise<Overview> {
    let overview: Overview | undefined;
    await eventually(async () => {
      overview = await read<Overview>('/v1/analytics/overview', on);
      // A file fails a moment after its job, so the lists are read again, too.
      expect(overview).toStrictEqual(await listed(on));
    });
    return overview as Overview;
  }

  const upload = async (space: string, name = 'a.md', content = '# Title\n\nAardvarks dig.') =>
    bodyOf(await client.upload(name, content, { space }), 201);
  const broken = (space: string) => upload(space, 'broken.pdf', '%PDF-1.7 and no more');
  /** Waits for the jobs of the files, and for the files: a file fails a moment after its job. */
  const ended = (files: CreatedFile[]) =>
    Promise.all(
      files.map(async ({ id, job_id }) => {
        await client.waitForJob(job_id);
        await eventually(async () => expect((await read<Row>(`/v1/files/${id}`)).status).not.toBe('processing'));
      }),
    );
  /** The sums of the last two days: a test may run across midnight. */
  async function counted() {
    const { data } = await read<{ data: Day[] }>('/v1/analytics/volume?days=2');
    const sumOf = (name: 'uploads' | 'processed' | 'failed') => data.reduce((sum, day) => sum + day[name], 0);
    return { uploads: sumOf('uploads'), processed: sumOf('processed'), failed: sumOf('failed') };
  }

  it('of an organization without files are zeros', async () => {
    expect(await read('/v1/analytics/overview')).toStrictEqual(await listed());
    const { data } = await read<{ data: Day[] }>('/v1/analytics/volume?days=3');
    expect(data.map(({ date: _date, ...numbers }) => numbers)).toStrictEqual(
      Array.from({ length: 3 }, () => ({ uploads: 0, uploaded_bytes: 0, processed: 0, failed: 0 })),
    );
  });

  it('follow uploads, failures, reprocessing and connections, and equal the lists', async () => {
    const files = [await upload('one'), await upload('one'), await upload('two'), await broken('two')];
    const skipped = await client.upload('b.md', 'stored', { space: 'one', skip_processing: 'true' });
    const signed = await client.post<CreatedFile>('/v1/upload', {
      filename: 'c.md',
      space: 'two',
      skip_processing: true,
    });
    await client.post('/v1/connections', { provider: 's3', name: 'Contracts', bucket: 'acme-documents' });
    await ended(files);
    const before = await overviewEqualsLists();
    expect(before.files_by_status).toStrictEqual({ uploading: 1, uploaded: 1, processing: 0, completed: 3, failed: 1 });

    await putBytes(signed.body.upload_url, '# Signed');
    const again = bodyOf(await client.post<{ job_id: string }>(`/v1/files/${skipped.body.id}/process`, {}), 201);
    await client.waitForJob(again.job_id);
    await eventually(async () => {
      const { status } = await read<Row>(`/v1/files/${signed.body.id}`);
      expect(status).toBe('uploaded');
    });
    await overviewEqualsLists();

    const [, , , failed] = files;
    const { failures } = await read<{ failures: { job_id: string; reason: string; message: string }[] }>(
      '/v1/analytics/failures',
    );
    expect(failures.map(({ job_id, reason }) => [job_id, reason])).toStrictEqual([[failed?.job_id, 'corrupt_file']]);
    const top = await read<{ failures: { reason: string; count: number }[] }>('/v1/analytics/top-failures');
    expect(top.failures.map(({ reason, count }) => [reason, count])).toStrictEqual([['corrupt_file', 1]]);
    expect(await counted()).toStrictEqual({ uploads: 6, processed: 4, failed: 1 });
    const { p50_ms: median } = await read<{ p50_ms: number }>('/v1/analytics/processing');
    expect(median).toBeGreaterThan(0);
  });

  it('follow deletions of single files and of a space, and keep the history', async () => {
    const { data: growthBefore } = await read<{ data: { total_bytes: number }[] }>(
      '/v1/analytics/storage-growth?days=1',
    );
    const files = await all<Row>('/v1/files', 'files');
    const [first] = files.filter(({ space }) => space === 'one');
    bodyOf(await client.request('DELETE', `/v1/files/${first?.id}`), 200);
    bodyOf(await client.request('DELETE', '/v1/spaces/two?cascade=true'), 200);
    await overviewEqualsLists();
    const left = files.filter(({ id, space }) => space === 'one' && id !== first?.id);
    const bytes = left.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0);
    const { data: growth } = await read<{ data: { total_bytes: number }[] }>('/v1/analytics/storage-growth?days=1');
    expect(growth[0]?.total_bytes).toBe(bytes);
    expect(growthBefore[0]?.total_bytes).toBeGreaterThan(bytes);
    const { spaces } = await read<{ spaces: { space: string; file_count: number }[] }>('/v1/analytics/spaces');
    expect(spaces.map(({ space, file_count: count }) => [space, count])).toStrictEqual([['one', left.length]]);
    const { failures } = await read<{ failures: unknown[] }>('/v1/analytics/failures');
    expect(failures).toStrictEqual([]);
    expect(await counted()).toStrictEqual({ uploads: 6, processed: 4, failed: 1 });
  });

  it('show test keys the test data only', async () => {
    const created = await client.post<{ key: string }>('/v1/org/api-keys', { name: 'testing', mode: 'test' });
    const test = await KilnClient.of(system.baseUrl, bodyOf(created, 201).key);
    expect(await read('/v1/analytics/overview', test)).toMatchObject({ total_files: 0, total_jobs: 0 });
    const { body } = await test.upload('t.md', '# Test');
    await test.waitForJob(body.job_id);
    expect((await overviewEqualsLists(test)).total_files).toBe(1);
    await overviewEqualsLists();
  });

  it('equal the lists exactly after analytics, files and a worker were killed under load', async () => {
    const kill = (name: string, role: string) => {
      const service = system.runJson().services.find((one) => one.name === name && one.role === role);
      if (!service) throw new Error(`${name} is not running`);
      process.kill(service.pid, 'SIGKILL');
    };
    const accepted: CreatedFile[] = [];
    const load = async (worker: number) => {
      for (let index = 0; index < 15; index++) {
        const answer = await client
          .upload(`${index}.md`, `# ${worker} ${index}`, { space: `load-${worker}` })
          .catch(() => null);
        if (answer?.status === 201) accepted.push(answer.body);
        if (worker === 0 && index === 4) kill('analytics', 'api');
        if (worker === 0 && index === 7) kill('jobs', 'worker');
        if (worker === 0 && index === 10) kill('files', 'api');
        if (worker === 1 && index % 5 === 0 && answer?.status === 201) {
          await client.request('DELETE', `/v1/files/${answer.body.id}`).catch(() => null);
        }
      }
    };
    await Promise.all([load(0), load(1), load(2)]);
    expect(accepted.length).toBeGreaterThan(10);
    await eventually(async () => {
      const jobs = await all<Row>('/v1/jobs', 'jobs');
      expect(jobs.filter(({ status }) => status === 'queued' || status === 'processing')).toStrictEqual([]);
    });
    await overviewEqualsLists();
    const metricsUrl = system.runJson().services.find(({ name }) => name === 'analytics')?.metrics_url ?? '';
    await eventually(async () => {
      const metrics = await (await fetch(metricsUrl)).text();
      const drifts = [...metrics.matchAll(/^kiln_analytics_drift\{.*\} (.+)$/gm)].map(([, value]) => value);
      expect(drifts).toStrictEqual(Array.from({ length: 9 }, () => '0'));
      expect(metrics).toMatch(/^kiln_analytics_reconciled_tenants(\{.*\})? [1-9]/m);
    });
  }, 240_000);
});
