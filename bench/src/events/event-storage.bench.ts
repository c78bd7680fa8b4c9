// How many bytes of the streams one file takes: files go through a launched system until all are completed and all events are published.
// `npm run bench:event-storage`
import { startSystem } from '@kiln/dev/start-system';
import { connectBus, createLogger, eventStream, publicEventStream } from '@kiln/platform';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { setTimeout as delay } from 'node:timers/promises';

const FILES = 500;
const NAMESPACE = 'kiln';
const POLL_MS = 1_000;
const streams = [eventStream(NAMESPACE), publicEventStream(NAMESPACE)];

const sizesOf = (manager: JetStreamManager) =>
  Promise.all(streams.map(async (stream) => (await manager.streams.info(stream)).state));

/** Until no event has been published for a few seconds. */
async function sizesWhenQuiet(manager: JetStreamManager) {
  for (let last = -1, equal = 0; ;) {
    const sizes = await sizesOf(manager);
    const messages = sizes.reduce((sum, size) => sum + size.messages, 0);
    equal = messages === last ? equal + 1 : 0;
    if (equal === 10) return sizes;
    last = messages;
    await delay(POLL_MS);
  }
}

async function main(): Promise<void> {
  const system = await startSystem();
  const logger = createLogger({ service: 'bench', role: 'all', level: 'error' });
  try {
    const run = system.runJson();
    const connection = await connectBus({ url: run.nats.url, name: 'bench', logger });
    const manager = await jetstreamManager(connection);
    const headers = { authorization: `ApiKey ${system.apiKey}` };
    const before = await sizesWhenQuiet(manager);
    for (let sent = 0; sent < FILES; sent++) {
      const form = new FormData();
      form.set(
        'file',
        new Blob([`# Report ${sent}\n\nThe revenue of the year was ${sent} euros.\n`]),
        `report-${sent}.md`,
      );
      const response = await fetch(`${run.base_url}/v1/upload`, { method: 'POST', headers, body: form });
      if (!response.ok) throw new Error(`upload: ${response.status} ${await response.text()}`);
    }
    const after = await sizesWhenQuiet(manager);
    for (const [index, stream] of streams.entries()) {
      const [start, end] = [before[index], after[index]];
      if (!start || !end) continue;
      const events = (end.messages - start.messages) / FILES;
      const bytes = (end.bytes - start.bytes) / FILES;
      console.log(`${stream}: ${events.toFixed(2)} events and ${bytes.toFixed(0)} bytes a file`);
    }
    await connection.close();
  } finally {
    await system.stop();
  }
}

await main();
process.exit(0);
