// `kiln dead-letters`: lists and requeues events that a consumer could not handle or a relay could not send. Reads NATS_URL.
import { parseArgs } from 'node:util';
import { connectBus } from '../bus/connection.js';
import { DeadLetters, type DeadLetter } from '../events/dead-letters.js';
import { createLogger } from '../observability/logger.js';
import { startOrExit } from '../service/start-process.js';
import { loadDeadLettersConfig } from './dead-letters.config.js';

const USAGE = `usage:
  kiln dead-letters list    [--consumer NAME] [--after SEQUENCE] [--limit N]
  kiln dead-letters requeue [--consumer NAME] (--sequence N | --all) [--dry-run]

list shows the oldest first. requeue publishes the event again: the consumer that failed handles it again, every other one
drops it. A letter of <service>-outbox names a row that could not be sent; requeue has that service send it
again.`;

const PAGE = 100;

interface Filter {
  consumer?: string | undefined;
  after: number;
}

/** All dead letters from oldest to newest, page by page. */
async function* letters(deadLetters: DeadLetters, filter: Filter): AsyncGenerator<DeadLetter> {
  let afterSequence = filter.after;
  for (;;) {
    const page = await deadLetters.list({ afterSequence, limit: PAGE });
    for (const letter of page) if (!filter.consumer || letter.consumer === filter.consumer) yield letter;
    const last = page.at(-1);
    if (!last) return;
    afterSequence = last.sequence;
  }
}

const describe = ({ sequence, diedAt, consumer, type, deliveries, reason }: DeadLetter) =>
  [sequence, diedAt.toISOString(), consumer, type, `${deliveries} deliveries`, reason].join('  ');

async function list(deadLetters: DeadLetters, filter: Filter, limit: number): Promise<void> {
  let shown = 0;
  for await (const letter of letters(deadLetters, filter)) {
    process.stdout.write(`${describe(letter)}\n`);
    if (++shown === limit) break;
  }
  if (shown === 0) process.stdout.write('no dead letters\n');
}

async function requeue(deadLetters: DeadLetters, filter: Filter, one: number | null, dryRun: boolean): Promise<void> {
  let count = 0;
  for await (const letter of letters(deadLetters, filter)) {
    if (one !== null && letter.sequence !== one) continue;
    if (!dryRun) await deadLetters.requeue(letter);
    process.stdout.write(`${dryRun ? 'would requeue' : 'requeued'}  ${describe(letter)}\n`);
    count++;
  }
  if (one !== null && count === 0)
    throw new Error(`no dead letter has the sequence ${one}; see kiln dead-letters list`);
  process.stdout.write(`${count} ${dryRun ? 'would be ' : ''}requeued\n`);
}

function readWords() {
  const options = {
    consumer: { type: 'string' },
    after: { type: 'string', default: '0' },
    limit: { type: 'string', default: '50' },
    sequence: { type: 'string' },
    all: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return { ...values, verb: positionals[0] };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error });
  }
}

startOrExit(async () => {
  const words = readWords();
  const chosen = words.verb === 'list' || (words.verb === 'requeue' && (words.all || words.sequence !== undefined));
  if (!chosen) throw new Error(USAGE);
  const config = loadDeadLettersConfig();
  const logger = createLogger({ service: 'kiln', role: 'cli', level: config.KILN_LOG_LEVEL });
  const connection = await connectBus({ url: config.NATS_URL, name: 'kiln-cli', logger });
  try {
    const deadLetters = new DeadLetters(connection, config.KILN_BUS_NAMESPACE);
    const filter = { consumer: words.consumer, after: Number(words.after) };
    if (words.verb === 'list') return await list(deadLetters, filter, Number(words.limit));
    await requeue(deadLetters, filter, words.all ? null : Number(words.sequence), words['dry-run']);
  } finally {
    await connection.close();
  }
});
