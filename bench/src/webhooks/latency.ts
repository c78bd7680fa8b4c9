// The time from an event to its arrival, on an idle system.
import { loadavg } from 'node:os';
import { percentile, startNotifiedSystem } from './notified-system.js';

const WARM_UP = 20;
const UPLOADS = 100;

export async function measureLatency(): Promise<void> {
  const system = await startNotifiedSystem();
  await system.measureDeliveries(WARM_UP);
  const took = await system.measureDeliveries(UPLOADS);
  console.log(
    `webhooks: event to arrival p50 ${percentile(took, 0.5)} ms, p99 ${percentile(took, 0.99)} ms over ${took.length} ` +
      `events at rest (load average ${loadavg()[0]?.toFixed(1)})`,
  );
  await system.stop();
}
