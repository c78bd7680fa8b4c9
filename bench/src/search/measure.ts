// Measures one kind of search, one query at a time: elapsed time, and CPU time of this process and of Postgres.
import type { Client } from 'pg';
import { cpuSeconds } from '../process-tree.js';

export interface Measured {
  p50: number;
  p99: number;
  /** CPU milliseconds per query. */
  nodeCpu: number;
  postgresCpu: number;
  queries: number;
}

const WARM_UP = 5;
const QUERIES = 150;
/** Slow searches run fewer queries. */
const SECONDS_MAX = 20;

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export async function measure(client: Client, search: (query: number) => Promise<unknown>): Promise<Measured> {
  const times: number[] = [];
  for (let query = 0; query < WARM_UP; query++) await search(query);
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  const pids = rows.map(({ pid }) => pid);
  const postgresBefore = cpuSeconds(pids);
  const nodeBefore = process.cpuUsage();
  const startedAt = performance.now();
  for (let query = 0; query < QUERIES && performance.now() - startedAt < SECONDS_MAX * 1_000; query++) {
    const from = performance.now();
    await search(WARM_UP + query);
    times.push(performance.now() - from);
  }
  const { user, system } = process.cpuUsage(nodeBefore);
  const sorted = times.toSorted((left, right) => left - right);
  return {
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
    nodeCpu: (user + system) / 1_000 / times.length,
    postgresCpu: ((cpuSeconds(pids) - postgresBefore) * 1_000) / times.length,
    queries: times.length,
  };
}
