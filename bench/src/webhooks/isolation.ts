// The effect of hostile endpoints on a healthy one of the same tenant: the time from an event to its arrival, alone and next to
// them, alternating within one run. All endpoints receive every event.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from '../median.js';
import { percentile, startNotifiedSystem, type NotifiedSystem } from './notified-system.js';

const ROUNDS = 4;
const WARM_UP = 30;
const UPLOADS = 100;
/** After this time, no request to a disabled hostile endpoint is running. */
const DEADLINE_MS = 16_000;

async function createHostile(system: NotifiedSystem): Promise<{ ids: string[]; stop: () => void }> {
  const script = fileURLToPath(new URL('hostile-endpoints.js', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const ids: string[] = [];
  for (const url of Object.values(JSON.parse(line.toString()) as Record<string, string>)) {
    ids.push((await system.call<{ id: string }>('POST', '/v1/webhooks', { url, events: ['file.created'] })).id);
  }
  return { ids, stop: () => void child.kill() };
}

export async function measureIsolation(): Promise<void> {
  const system = await startNotifiedSystem();
  await system.measureDeliveries(WARM_UP);
  const hostile = await createHostile(system);
  const all = async (active: boolean) => {
    for (const id of hostile.ids) await system.call('PATCH', `/v1/webhooks/${id}`, { active });
  };
  const alone: number[] = [];
  const beside: number[] = [];
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    await all(true);
    const second = await system.measureDeliveries(UPLOADS);
    await all(false);
    await delay(DEADLINE_MS);
    const first = await system.measureDeliveries(UPLOADS);
    const ratio = percentile(second, 0.99) / percentile(first, 0.99);
    console.log(
      `round ${round}: alone p50 ${percentile(first, 0.5)} ms, p99 ${percentile(first, 0.99)} ms; beside hostile ones ` +
        `p50 ${percentile(second, 0.5)} ms, p99 ${percentile(second, 0.99)} ms, ratio of p99 ${ratio.toFixed(2)}`,
    );
    alone.push(...first);
    beside.push(...second);
    ratios.push(ratio);
  }
  const together = percentile(beside, 0.99) / percentile(alone, 0.99);
  console.log(
    `webhooks: p99 beside ${hostile.ids.length} hostile endpoints against alone: ${together.toFixed(2)} over all, median ` +
      `${median(ratios).toFixed(2)} of ${ROUNDS} rounds; p50 ${percentile(alone, 0.5)} and ${percentile(beside, 0.5)} ms ` +
      `(load average ${loadavg()[0]?.toFixed(1)})`,
  );
  hostile.stop();
  await system.stop();
}
