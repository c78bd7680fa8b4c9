// Deliveries per CPU second of the worker, from the queue in Postgres to outcome and log in Postgres, against a bare undici loop that
// signs and posts the same payloads over as many connections and keeps no books, in turn within one run. Then the time from an
// event to its arrival on a system at rest. `pnpm bench:webhooks`
import { encodeId } from '@kiln/contracts';
import { startSystem } from '@kiln/dev/start-system';
import { Database, migrateService, Sealer } from '@kiln/platform';
import { createTestDatabase, startTestService } from '@kiln/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { json, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { median } from '../median.js';
import { cpuSeconds } from '../process-tree.js';

const ROUNDS = 3;
const DELIVERIES = 20_000;
const WEBHOOKS = 8;
const PER_ENDPOINT = 16;
const UPLOADS = 100;

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const migrations = fileURLToPath(new URL('../../../services/webhooks/migrations/', import.meta.url));
const encryptionKey = randomBytes(32).toString('base64');
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const tenantId = uuidv7();
const webhookIds = Array.from({ length: WEBHOOKS }, () => uuidv7());

interface Item {
  webhookId: string;
  eventId: string;
  deliveryId: string;
  payload: string;
}

function newItems(): Item[] {
  return Array.from({ length: DELIVERIES }, (_, index) => {
    const eventId = uuidv7();
    const payload = JSON.stringify({
      id: encodeId('event', eventId),
      type: 'file.processing.completed',
      created_at: new Date().toISOString(),
      org_id: encodeId('organization', tenantId),
      data: {
        file_id: encodeId('file', uuidv7()),
        job_id: encodeId('job', uuidv7()),
        space: 'default',
        filename: 'annual-report.pdf',
        content_type: 'application/pdf',
        provider: 'document_extractor',
        variants: ['markdown', 'metadata', 'searchable-index'],
      },
    });
    return { webhookId: webhookIds[index % WEBHOOKS] ?? '', eventId, deliveryId: uuidv7(), payload };
  });
}

type Sql = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

async function createWebhooks(sql: Sql, url: string): Promise<void> {
  const sealer = new Sealer(encryptionKey);
  for (const id of webhookIds) {
    const sealed = sealer.seal(secret, { tenantId, rowId: id, name: 'secret' });
    await sql(
      `insert into webhooks (tenant_id, id, organization_id, url, events, secret) values ($1, $2, $1, $3, '{*}', $4)`,
      [tenantId, id, url, sealed],
    );
  }
}

async function enqueue(sql: Sql, items: readonly Item[]): Promise<void> {
  await sql(
    `with item as (
       select * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) as i (webhook_id, event_id, delivery_id, payload)
     ), event as (
       insert into webhook_events (tenant_id, id, webhook_id, type, created_at, payload)
       select $1, event_id, webhook_id, 'file.processing.completed', now(), payload from item
     )
     insert into queued_deliveries (tenant_id, webhook_id, id, event_id, event_type)
     select $1, webhook_id, delivery_id, event_id, 'file.processing.completed' from item`,
    [
      tenantId,
      items.map(({ webhookId }) => webhookId),
      items.map(({ eventId }) => eventId),
      items.map(({ deliveryId }) => deliveryId),
      items.map(({ payload }) => payload),
    ],
  );
}

interface Measured {
  perSecond: number;
  perCpuSecond: number;
}

async function bare(url: string, items: readonly Item[]): Promise<Measured> {
  const child = spawn(process.execPath, [script('bare-sender.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const payloads = items.map(({ payload }) => payload);
  child.stdin.end(JSON.stringify({ url, secret, payloads, connections: WEBHOOKS * PER_ENDPOINT }));
  const { seconds, cpuSeconds: cpu } = (await json(child.stdout)) as { seconds: number; cpuSeconds: number };
  return { perSecond: items.length / seconds, perCpuSecond: items.length / cpu };
}

/** The rows are there and not yet known to the worker; from the moment they are until the last outcome is written. */
async function kiln(sql: Sql, workerPid: number, items: readonly Item[]): Promise<Measured & { databaseCpu: number }> {
  await enqueue(sql, items);
  const backends = await sql<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'kiln-webhooks' and pid <> pg_backend_pid()`,
  );
  const pids = backends.map(({ pid }) => pid);
  const before = [cpuSeconds([workerPid]), cpuSeconds(pids)] as const;
  const startedAt = performance.now();
  await sql(
    `insert into waiting_webhooks (tenant_id, webhook_id, due_at) select $1, unnest($2::uuid[]), now()
     on conflict (tenant_id, webhook_id) do update set due_at = excluded.due_at`,
    [tenantId, webhookIds],
  );
  while ((await sql('select 1 from queued_deliveries limit 1')).length > 0) await delay(20);
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = cpuSeconds([workerPid]) - before[0];
  const [row] = await sql<{ settled: number }>(
    `select count(*) as settled from settled_deliveries s join delivery_attempts a
       on a.tenant_id = s.tenant_id and a.delivery_id = s.id and a.status_code = 204
     where s.status = 'delivered' and s.attempt = 1 and s.id = any($1)`,
    [items.map(({ deliveryId }) => deliveryId)],
  );
  if (row?.settled !== items.length) throw new Error(`${row?.settled} of ${items.length} were delivered and logged`);
  return {
    perSecond: items.length / seconds,
    perCpuSecond: items.length / cpu,
    databaseCpu: cpuSeconds(pids) - before[1],
  };
}

async function startReceiver(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [script('receiver.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: `http://127.0.0.1:${Number(line.toString())}/hook` };
}

async function throughput(): Promise<void> {
  const testDatabase = await createTestDatabase();
  await migrateService({ service: 'webhooks', directory: migrations, databaseUrl: testDatabase.url });
  const database = new Database(
    { url: testDatabase.url, schema: 'webhooks', connectionsMax: 2, statementTimeoutMs: 60_000 },
    () => {},
  );
  const sql: Sql = (statement, values) => database.query({ name: '', text: statement }, values);
  const receiver = await startReceiver();
  const service = await startTestService({
    name: 'webhooks',
    role: 'worker',
    databaseUrl: testDatabase.url,
    environment: { KILN_ENCRYPTION_KEY: encryptionKey, KILN_OUTBOUND_ALLOW: '127.0.0.1' },
  });
  const pid = service.process.pid ?? 0;
  await createWebhooks(sql, receiver.url);
  await kiln(sql, pid, newItems().slice(0, 4_000)); // Warm: compiled, connected.

  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const items = newItems();
    const one = await bare(receiver.url, items);
    const other = await kiln(sql, pid, items);
    ratios.push(other.perCpuSecond / one.perCpuSecond);
    console.log(
      `round ${round}: bare ${one.perCpuSecond.toFixed(0)} per CPU second (${one.perSecond.toFixed(0)}/s), ` +
        `kiln ${other.perCpuSecond.toFixed(0)} (${other.perSecond.toFixed(0)}/s, and ` +
        `${((other.databaseCpu / items.length) * 1e6).toFixed(0)} µs of Postgres each), ` +
        `ratio ${(other.perCpuSecond / one.perCpuSecond).toFixed(2)}`,
    );
  }
  console.log(
    `webhooks: median ratio ${median(ratios).toFixed(2)} over ${ROUNDS} rounds of ${DELIVERIES} deliveries to ` +
      `${WEBHOOKS} webhooks (load average ${loadavg()[0]?.toFixed(1)})`,
  );
  await service.stop();
  receiver.child.kill();
  await database.close();
  await testDatabase.drop();
}

/** From `created_at` in the payload, on the clock of this machine, to the arrival of the request. */
async function latency(): Promise<void> {
  const system = await startSystem({ environment: { KILN_OUTBOUND_ALLOW: '127.0.0.1' } });
  const took: number[] = [];
  const endpoint = createServer((request, response) => {
    const at = Date.now();
    void text(request).then((body) => {
      took.push(at - Date.parse((JSON.parse(body) as { created_at: string }).created_at));
      return response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const authorization = `ApiKey ${system.apiKey}`;
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  await fetch(`${system.baseUrl}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['file.created'] }),
  });
  for (let index = 0; index < UPLOADS; index++) {
    const form = new FormData();
    form.append('skip_processing', 'true');
    form.append('file', new Blob(['A file to be told of.']), 'told.txt');
    await (
      await fetch(`${system.baseUrl}/v1/upload`, { method: 'POST', headers: { authorization }, body: form })
    ).text();
    while (took.length <= index) await delay(5);
    await delay(100); // At rest before each.
  }
  const sorted = took.slice(10).toSorted((a, b) => a - b); // The first ones warm it.
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  console.log(`webhooks: event to arrival p50 ${at(0.5)} ms, p99 ${at(0.99)} ms over ${sorted.length} events at rest`);
  endpoint.closeAllConnections();
  endpoint.close();
  await system.stop();
}

await throughput();
await latency();
process.exit(0);
