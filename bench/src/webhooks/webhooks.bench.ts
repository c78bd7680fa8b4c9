// What deliveries cost, and how soon they arrive. `npm run bench:webhooks [parts]` measures all parts, or the named ones.
import { measureIsolation } from './isolation.js';
import { measureLatency } from './latency.js';
import { measureThroughput } from './throughput.js';

const parts: Record<string, () => Promise<void>> = {
  throughput: measureThroughput,
  isolation: measureIsolation,
  latency: measureLatency,
};

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(parts)) {
  const part = parts[name];
  if (!part) throw new Error(`no part ${name}; there are ${Object.keys(parts).join(', ')}`);
  await part();
}
process.exit(0);
