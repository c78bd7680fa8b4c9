// Deliveries per CPU second of the worker, from the queue in Postgres to outcome and log in Postgres, against a bare undici loop
// that signs and posts the same payloads over as many connections and records nothing. Both sides alternate within one run, are
// warmed up, are measured as whole processes by the same clock, and use the young generation size of the manifests.
import { Database } from '@kiln/platform';
import { createTestDatabase, migrateBuiltService, startTestService } from '@kiln/testing';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../median.js';
import { cpuSeconds } from '../process-tree.js';
import { startBareSender, startReceiver } from './children.js';
import {
  assertDelivered,
  createWebhooks,
  encryptionKey,
  enqueue,
  newItems,
  release,
  secret,
  webhookIds,
  type Item,
  type Sql,
} from './load.js';
import type { Measured } from './measured.js';

const ROUNDS = 15;
const DELIVERIES = 8_000;
const WARM_UP_ROUNDS = 5;
const CONNECTIONS = 128;
const NODE_FLAG = '--max-semi-space-size=32';

interface Delivered extends Measured {
  /** CPU seconds of the worker's Postgres backends. */
  databaseCpuSeconds: number;
}

/** Starts with queued rows that the worker does not know of, and measures until the last outcome is recorded. */
async function deliver(sql: Sql, workerPid: number, items: readonly Item[]): Promise<Delivered> {
  await enqueue(sql, items);
  const backends = await sql<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'kiln-webhooks' and pid <> pg_backend_pid()`,
  );
  const pids = backends.map(({ pid }) => pid);
  const before = [cpuSeconds([workerPid]), cpuSeconds(pids)] as const;
  const startedAt = performance.now();
  await release(sql);
  while ((await sql('select 1 from queued_deliveries limit 1')).length > 0) await delay(20);
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = cpuSeconds([workerPid]) - before[0];
  const databaseCpuSeconds = cpuSeconds(pids) - before[1];
  await assertDelivered(sql, items);
  return { perSecond: items.length / seconds, perCpuSecond: items.length / cpu, databaseCpuSeconds };
}

async function rounds(sql: Sql, workerPid: number, url: string): Promise<void> {
  const bare = startBareSender({ url, secret, connections: CONNECTIONS }, NODE_FLAG);
  const ratios: number[] = [];
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round++) {
    const items = newItems(DELIVERIES);
    const one = await bare.send(items.map(({ payload }) => payload));
    const other = await deliver(sql, workerPid, items);
    const ratio = other.perCpuSecond / one.perCpuSecond;
    if (round > 0) ratios.push(ratio);
    console.log(
      `${round > 0 ? `round ${round}` : 'warm-up'}: bare ${one.perCpuSecond.toFixed(0)} per CPU second ` +
        `(${one.perSecond.toFixed(0)}/s), kiln ${other.perCpuSecond.toFixed(0)} (${other.perSecond.toFixed(0)}/s, and ` +
        `${((other.databaseCpuSeconds / items.length) * 1e6).toFixed(0)} µs of Postgres each), ratio ${ratio.toFixed(2)}`,
    );
  }
  console.log(
    `webhooks: median ratio ${median(ratios).toFixed(2)} over ${ROUNDS} rounds of ${DELIVERIES} deliveries to ` +
      `${webhookIds.length} webhooks (load average ${loadavg()[0]?.toFixed(1)})`,
  );
  bare.stop();
}

export async function measureThroughput(): Promise<void> {
  const testDatabase = await createTestDatabase();
  await migrateBuiltService('webhooks', testDatabase.url);
  const database = await Database.open(
    { url: testDatabase.url, schema: 'webhooks', connectionsMax: 2, statementTimeoutMs: 60_000 },
    () => {},
  );
  const sql: Sql = (statement, values) => database.query({ name: '', text: statement }, values);
  const receiver = await startReceiver();
  const service = await startTestService({
    name: 'webhooks',
    role: 'worker',
    databaseUrl: testDatabase.url,
    environment: { KILN_ENCRYPTION_KEY: encryptionKey, KILN_OUTBOUND_ALLOW: '127.0.0.1', NODE_OPTIONS: NODE_FLAG },
  });
  await createWebhooks(sql, receiver.url);
  await rounds(sql, service.process.pid ?? 0, receiver.url);
  await service.stop();
  receiver.child.kill();
  await database.close();
  await testDatabase.drop();
}
