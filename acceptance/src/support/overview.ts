// The overview of an organization's analytics, and what it must be according to the lists.
import { expect } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { bodyOf, type KilnClient } from './kiln-client.js';

export interface Overview {
  total_files: number;
  total_jobs: number;
  total_variants: number;
  total_connections: number;
  success_rate: number;
  files_by_status: Record<string, number>;
}
export interface Row {
  id: string;
  status: string;
  space: string;
  size_bytes: number | null;
  content_type: string | null;
}

const STATUSES = ['uploading', 'uploaded', 'processing', 'completed', 'failed'];

/** All rows of a list, page by page. */
export async function allOf<Item>(client: KilnClient, path: string, name: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor = ''; ;) {
    const answer = await client.get<{ next_cursor: string | null; [name: string]: unknown }>(
      `${path}?limit=200${cursor}`,
    );
    const page = bodyOf(answer, 200);
    items.push(...(page[name] as Item[]));
    if (!page.next_cursor) return items;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

export async function overviewOf(client: KilnClient): Promise<Overview> {
  return bodyOf(await client.get<Overview>('/v1/analytics/overview'), 200);
}

/** The overview as the lists count it. */
export async function countedByLists(client: KilnClient): Promise<Overview> {
  const files = await allOf<Row>(client, '/v1/files', 'files');
  const jobs = await allOf<Row>(client, '/v1/jobs', 'jobs');
  const { connections } = bodyOf(await client.get<{ connections: unknown[] }>('/v1/connections'), 200);
  let variants = 0;
  for (const { id } of files) {
    variants += bodyOf(await client.get<{ variants: unknown[] }>(`/v1/files/${id}/variants`), 200).variants.length;
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

/** Waits until the overview is what the lists count. A file fails a moment after its job, so the lists are read again, too. */
export async function overviewEqualsLists(client: KilnClient): Promise<Overview> {
  let overview: Overview | undefined;
  await eventually(async () => {
    overview = await overviewOf(client);
    expect(overview).toStrictEqual(await countedByLists(client));
  });
  return overview as Overview;
}
