/** The books of a run: what was accepted, against what the system has made of it. */
import { eventually } from '@kiln/dev';
import type { Client } from '../load/client.js';
import type { Accepted } from '../load/load.js';
import type { Receiver } from '../load/receiver.js';

export interface Books {
  readonly accepted: number;
  /** Each with its reason. */
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

interface FileRow {
  id: string;
  status: string;
  variants?: { type: string }[];
}

interface JobRow {
  id: string;
  file_id: string;
  status: string;
}

interface Found {
  results: { file_id: string }[];
}

interface Overview {
  total_files: number;
  total_jobs: number;
  files_by_status: Record<string, number>;
}

const READERS = 8;
const VARIANTS = ['markdown', 'metadata', 'searchable-index'];
/** No verdict depends on it unless something is lost. */
export const PATIENCE_MS = 90_000;

/** Waits until the books are right. If they do not become right, returns them as they are. */
export async function closeBooks(client: Client, receiver: Receiver, accepted: readonly Accepted[]): Promise<Books> {
  let books: Books = { accepted: accepted.length, lost: ['the system did not answer'], doubled: [] };
  const isRight = async () => {
    books = await readBooks(client, receiver, accepted);
    return books.lost.length + books.doubled.length === 0;
  };
  await eventually(isRight, { timeoutMs: PATIENCE_MS, intervalMs: 1_000 }).catch(() => undefined);
  return books;
}

export async function readBooks(client: Client, receiver: Receiver, accepted: readonly Accepted[]): Promise<Books> {
  const listed = await client.list<{ id: string }>('/v1/files', 'files');
  const jobs = await client.list<JobRow>('/v1/jobs', 'jobs');
  const statusOf = new Map(jobs.map(({ id, status }) => [id, status]));
  const books = { accepted: accepted.length, lost: [] as string[], doubled: [] as string[] };
  const compare = (what: string, count: number, expected: number) => {
    if (count !== expected)
      books[count < expected ? 'lost' : 'doubled'].push(`${what}: ${count} instead of ${expected}`);
  };
  const waiting = accepted.values();
  const read = async () => {
    for (const { id, jobId, word } of waiting) {
      const { status, variants = [] } = (await client.send('GET', `/v1/files/${id}`)).body as FileRow;
      const { results } = (await client.send('POST', '/v1/search', { query: word })).body as Found;
      const types = variants.map(({ type }) => type);
      compare(`${id} completed`, Number(status === 'completed'), 1);
      compare(`${jobId} completed`, Number(statusOf.get(jobId) === 'completed'), 1);
      for (const variant of VARIANTS)
        compare(`${variant} of ${id}`, types.filter((type) => type === variant).length, 1);
      compare(`${id} in the results of its word`, results.filter(({ file_id: fileId }) => fileId === id).length, 1);
      compare(`webhook events of ${id}`, receiver.events.get(id)?.size ?? 0, 1);
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
  compare('files', listed.length, accepted.length);
  compare('jobs', jobs.length, accepted.length);
  const overview = (await client.send('GET', '/v1/analytics/overview')).body as Overview;
  compare('files of analytics', overview.total_files, listed.length);
  compare('jobs of analytics', overview.total_jobs, jobs.length);
  compare('completed files of analytics', overview.files_by_status['completed'] ?? 0, listed.length);
  return books;
}
