// The time from an event to its arrival, on a system at rest.
import { loadavg } from 'node:os';
import { percentile, startToldSystem } from './told-system.js';

const WARM_UP = 20;
const UPLOADS = 100;

export async function measureLatency(): Promise<void> {
  const system = await startToldSystem();
  await system.tell(WARM_UP);
  const took = await system.tell(UPLOADS);
  console.log(
    `webhooks: event to arrival p50 ${percentile(took, 0.5)} ms, p99 ${percentile(took, 0.99)} ms over ${took.length} ` +
      `events at rest (load average ${loadavg()[0]?.toFixed(1)})`,
  );
  await system.stop();
}
