// Measures searches before, during and after a purge. A quarter of a tenant's files is removed, which begins the purge, and another
// quarter while it runs.
import type { Database } from '@kiln/platform';
import { PurgeStore } from '@kiln/search/merging/purge.store';
import { PostingsMemory } from '@kiln/search/text-index/postings-memory.domain';
import { RankStore } from '@kiln/search/text-index/rank.store';
import type { Client } from 'pg';
import { CHUNKS_PER_FILE, PASSAGES_PER_FILE, randomNumbers, randomTerm } from './generated-files.js';

const WORDS = 10;
const SEARCHES = 150;
const FILES_PER_REMOVAL = 250;

export interface Times {
  searches: number;
  p50: number;
  p95: number;
}

export interface PurgeTimes {
  before: Times;
  during: Times;
  after: Times;
  /** Files removed before the purge, and while it ran. */
  removed: [before: number, during: number];
}

export async function searchDuringPurge(client: Client, database: Database, tenantId: string): Promise<PurgeTimes> {
  const store = new RankStore(database, new PostingsMemory(100_663_296));
  const purges = new PurgeStore(database);
  const random = randomNumbers(5);
  const search = async () => {
    const words = new Set(Array.from({ length: WORDS }, () => randomTerm(random)));
    const from = performance.now();
    await store.rank(tenantId, [...words].join(' '), [], { limit: 20 });
    return performance.now() - from;
  };
  const searchMany = async () => {
    const times: number[] = [];
    for (let at = 0; at < SEARCHES; at++) times.push(await search());
    return times;
  };
  await searchMany();
  const before = await searchMany();
  const removedBefore = await remove(client, tenantId, 0, Number.MAX_SAFE_INTEGER);
  let removedDuring = 0;
  const progress = { isOver: false };
  const purge = async () => {
    while (await purges.collectRemoved(tenantId, 1));
    while (await purges.purgeNext(tenantId)) {
      removedDuring += await remove(client, tenantId, 1, FILES_PER_REMOVAL);
      await purges.collectRemoved(tenantId, 1);
    }
    progress.isOver = true;
  };
  const during: number[] = [];
  const searches = async () => {
    while (!progress.isOver) during.push(await search());
  };
  await Promise.all([purge(), searches()]);
  const after = await searchMany();
  const [timesBefore, timesDuring, timesAfter] = [before, during, after].map(timesOf) as [Times, Times, Times];
  return { before: timesBefore, during: timesDuring, after: timesAfter, removed: [removedBefore, removedDuring] };
}

function timesOf(times: readonly number[]): Times {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { searches: sorted.length, p50: at(0.5), p95: at(0.95) };
}

/** Removes files of one quarter of the tenant, as the removal worker does. Returns how many. */
async function remove(client: Client, tenantId: string, quarter: number, filesMax: number): Promise<number> {
  const { rowCount } = await client.query(
    `with gone as (
       delete from search.files where tenant_id = $1 and first_number in (
         select first_number from search.files where tenant_id = $1 and first_number / ${PASSAGES_PER_FILE} % 4 = $2 limit $3)
       returning first_number)
     insert into search.removed_ranges (tenant_id, first_number, numbers, chunks, chunk_length, titles, title_length)
     select $1, first_number, ${PASSAGES_PER_FILE}, ${CHUNKS_PER_FILE}, ${CHUNKS_PER_FILE} * 60, 1, 5 from gone`,
    [tenantId, quarter, filesMax],
  );
  return rowCount ?? 0;
}
