/** Runs one drill: load, its acts one after the other, and then the books. */
import { eventually } from '@kiln/dev';
import { setTimeout as delay } from 'node:timers/promises';
import { closeBooks, PATIENCE_MS, type Books } from './books/books.js';
import type { Drill, Scene } from './drill.js';
import { Client } from './load/client.js';
import { Load } from './load/load.js';
import { kinds, seenBetween, type Seen } from './load/observation.js';
import { startReceiver, type Receiver } from './load/receiver.js';

export interface ActReport {
  readonly fault: string;
  readonly lastedMs: number;
  /** From the end of the fault until each kind of request is served again without failures. */
  readonly backAfterMs: number;
  readonly seen: Seen;
  /** The longest time from the acceptance of an upload to its webhook, of webhooks that arrived after the beginning of the fault. */
  readonly slowestWebhookMs: number;
}

export interface DrillReport {
  readonly name: string;
  readonly acts: readonly ActReport[];
  readonly books: Books;
}

interface Period {
  readonly fault: string;
  readonly from: number;
  readonly endedAt: number;
  readonly until: number;
}

/** Nothing in Kiln waits longer by itself. */
const OUTAGE_MS_MAX = 300_000;
/** Served requests of each kind before the first fault, and in a row after each. */
const WARM = 10;
const WELL = 5;
const WAITING_JOBS = 12;

export async function runDrill(drill: Drill, holdMs: number, say: (line: string) => void): Promise<DrillReport> {
  say('starts');
  const scene = await drill.prepare();
  const receiver = await startReceiver();
  try {
    const client = new Client(scene.system.baseUrl, scene.system.apiKey);
    await register(client, `http://${scene.host ?? '127.0.0.1'}:${receiver.port}/`);
    const load = new Load(client, receiver);
    load.start();
    const periods: Period[] = [];
    try {
      await served(load, performance.now(), WARM);
      for (const { fault, play } of scene.acts) {
        say(fault);
        const resume = await letJobsWait(scene, load);
        const from = performance.now();
        const hold = () => {
          resume();
          return delay(holdMs);
        };
        await play(hold).finally(resume);
        const endedAt = performance.now();
        say('the fault has ended');
        const until = await untilWell(client, endedAt);
        periods.push({ fault, from, endedAt, until });
        await announced(load, receiver, until);
      }
    } catch (error) {
      load.giveUp();
      throw error;
    } finally {
      await load.stop();
    }
    say(`closes the books of ${load.accepted.length} files`);
    const books = await closeBooks(client, receiver, load.accepted);
    return { name: drill.name, acts: periods.map((period) => report(period, client, load, receiver)), books };
  } finally {
    receiver.close();
    await scene.stop();
  }
}

async function register(client: Client, url: string): Promise<void> {
  const { status } = await client.send('POST', '/v1/webhooks', { url, events: ['file.processing.completed'] });
  if (status !== 201) throw new Error(`the webhook was refused: ${status}`);
}

/** Pauses the jobs worker until some jobs wait, so that the fault meets them. Returns what resumes it. */
async function letJobsWait({ system }: Scene, load: Load): Promise<() => void> {
  const worker = system.runJson().services.find(({ name, role }) => name === 'jobs' && role === 'worker');
  if (!worker) throw new Error('there is no jobs worker');
  process.kill(worker.pid, 'SIGSTOP');
  const since = performance.now();
  await eventually(() => load.servedSince(since).upload >= WAITING_JOBS);
  return () => process.kill(worker.pid, 'SIGCONT');
}

/** Waits for the webhooks of what was accepted until then. If one does not come, the books say so. */
const announced = (load: Load, receiver: Receiver, until: number) =>
  eventually(() => load.accepted.every(({ id, at }) => at > until || receiver.events.has(id)), {
    timeoutMs: PATIENCE_MS,
  }).catch(() => undefined);

const served = (load: Load, since: number, count: number) =>
  eventually(() => Object.values(load.servedSince(since)).every((served) => served >= count), {
    timeoutMs: OUTAGE_MS_MAX,
  });

/** Waits until the last requests of each kind were sent after `since` and served. Returns the time at which the first of them was served. */
async function untilWell({ observations }: Client, since: number): Promise<number> {
  const lastOf = (kind: string) => observations.filter((one) => one.kind === kind).slice(-WELL);
  const isWell = () =>
    kinds
      .map(lastOf)
      .every((last) => last.length === WELL && last.every((one) => one.isServed && one.startedAt >= since));
  await eventually(isWell, { timeoutMs: OUTAGE_MS_MAX });
  return Math.max(...kinds.map((kind) => lastOf(kind)[0]?.endedAt ?? since));
}

function report({ fault, from, endedAt, until }: Period, client: Client, load: Load, receiver: Receiver): ActReport {
  const arrivals = load.accepted.map(({ id, at }) => ({
    at,
    arrivedAt: Math.min(...(receiver.events.get(id)?.values() ?? [])),
  }));
  const delays = arrivals
    .filter(({ at, arrivedAt }) => at <= until && arrivedAt >= from && Number.isFinite(arrivedAt))
    .map(({ at, arrivedAt }) => arrivedAt - at);
  return {
    fault,
    lastedMs: endedAt - from,
    backAfterMs: until - endedAt,
    seen: seenBetween(client.observations, from, until),
    slowestWebhookMs: Math.max(0, ...delays),
  };
}
