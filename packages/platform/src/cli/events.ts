// `kiln events`: publishes events again. Reads DATABASE_URL.
import { z } from 'zod';
import { republishEvents } from '../events/republish-events.js';
import { startOrExit } from '../service/start-process.js';
import { loadEventsConfig } from './events.config.js';
import { readOptions } from './read-options.js';

const usage = `usage:
  kiln events republish --since TIME [--dry-run]

Publishes again all events that were published at TIME or later, such as 2026-11-28T01:30:00Z. Outboxes keep events for one day.
Consumers ignore events that they have handled. Use it after you restore a database: docs/backup.md.`;

startOrExit(async () => {
  const [verb, ...words] = process.argv.slice(2);
  if (verb !== 'republish') throw new Error(usage);
  const { since, 'dry-run': isDryRun } = readOptions(words, {
    options: { since: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
    schema: z.object({
      since: z.iso
        .datetime({ offset: true, error: 'must be a time with its zone, such as 2026-11-28T01:30:00Z' })
        .transform((time) => new Date(time)),
      'dry-run': z.boolean(),
    }),
    usage,
  });
  const counts = await republishEvents({ databaseUrl: loadEventsConfig().DATABASE_URL, since, isDryRun });
  for (const { service, events } of counts) process.stdout.write(`${service}  ${events}\n`);
  const total = counts.reduce((sum, { events }) => sum + events, 0);
  process.stdout.write(`${total} events ${isDryRun ? 'would be' : 'will be'} published again\n`);
});
