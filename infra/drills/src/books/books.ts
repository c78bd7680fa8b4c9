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
  variants: { type: string }[];
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

const VARIANTS = ['markdown', 'metadata', 'searchable-index'];
/** No verdict depends on it unless something is lost. */
const PATIENCE_MS = 120_000;

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

async function readBooks(client: Client, receiver: Receiver, accepted: readonly Accepted[]): Promise<Books> {
  const listed = await client.list<{ id: string }>('/v1/files', 'files');
  const jobs = await client.list<JobRow>('/v1/jobs', 'jobs');
  const lost: string[] = [];
  const doubled: string[] = [];
  for (const { id, jobId, word } of accepted) {
    const file = (await client.send('GET', `/v1/files/${id}`)).body as FileRow;
    const job = jobs.find((one) => one.id === jobId);
    const { results } = (await client.send('POST', '/v1/search', { query: word })).body as Found;
    const found = results.filter(({ file_id: fileId }) => fileId === id).length;
    const events = receiver.events.get(id)?.size ?? 0;
    if (file.status !== 'completed') lost.push(`${id} is ${file.status}`);
    if (job?.status !== 'completed') lost.push(`${jobId} is ${job?.status ?? 'missing'}`);
    const variants = (file.variants ?? []).map(({ type }) => type);
    for (const variant of VARIANTS) if (!variants.includes(variant)) lost.push(`${id} has no ${variant}`);
    if (found === 0) lost.push(`${id} is not found`);
    if (found > 1) doubled.push(`${id} is found ${found} times`);
    if (events === 0) lost.push(`${id} has no webhook`);
    if (events > 1) doubled.push(`${id} has ${events} webhooks`);
  }
  lost.push(...fewer('files', listed.length, accepted.length), ...fewer('jobs', jobs.length, accepted.length));
  doubled.push(...more('files', listed.length, accepted.length), ...more('jobs', jobs.length, accepted.length));
  const overview = (await client.send('GET', '/v1/analytics/overview')).body as Overview;
  const counted: [string, number, number][] = [
    ['files of analytics', overview.total_files, listed.length],
    ['jobs of analytics', overview.total_jobs, jobs.length],
    ['completed files of analytics', overview.files_by_status['completed'] ?? 0, listed.length],
  ];
  for (const facts of counted) {
    lost.push(...fewer(...facts));
    doubled.push(...more(...facts));
  }
  return { accepted: accepted.length, lost, doubled };
}

const differ = (what: string, count: number, expected: number) => [`${count} ${what} instead of ${expected}`];
const fewer = (what: string, count: number, expected: number) =>
  count < expected ? differ(what, count, expected) : [];
const more = (what: string, count: number, expected: number) => (count > expected ? differ(what, count, expected) : []);
