import type { EventStreamQuery } from '@kiln/sdk';
import { Option } from 'commander';
import { randomBytes } from 'node:crypto';
import { readUserConfig, writeUserConfig } from '../../config/user-config.js';
import type { Context, Define } from '../../context.js';
import { usageError } from '../../exit-codes.js';
import { paint } from '../../terminal/paint.js';
import { forward, type Attempt } from '../../webhooks/forward.js';
import { endOfStream } from '../events/end-of-stream.js';
import { integer, note } from '../options.js';

interface Options {
  forward: string;
  types?: string;
  space?: string;
  after?: string;
  retries: number;
  json?: boolean;
}

export const define: Define = (command, use) =>
  void command
    .addOption(new Option('--forward <url>', 'the URL of your server').makeOptionMandatory())
    .option('--types <types>', 'only these types, separated by commas')
    .option('--space <name>', 'events of files in this space')
    .option('--after <event>', 'begin after this event')
    .option('--retries <count>', 'how often a failed request is repeated', integer(0, 10), 3)
    .option('--json', 'print an attempt per line as JSON')
    .addHelpText(
      'after',
      note(
        'Each request has the headers and the body of a webhook. It is signed with the secret in KILN_WEBHOOK_SECRET, or with one that is made at the first use and kept, so that your server can keep it, too.',
      ),
    )
    .action(use(listen));

async function listen(context: Context, options: Options): Promise<void> {
  const url = urlOf(options.forward);
  const { signal } = context;
  const kiln = await context.kiln();
  const secret = await secretOf(context);
  const { types, space, after } = options;
  const query: EventStreamQuery = {
    ...(types !== undefined && { types: types.split(',') as NonNullable<EventStreamQuery['types']> }),
    ...(space !== undefined && { space }),
  };
  const stream = kiln.events.stream(query, { signal, ...(after !== undefined && { lastEventId: after }) });
  context.talk(`Events are sent to ${url}. Ctrl-C ends.`);
  context.talk(`Secret: ${secret}`);
  let forwarded = after;
  try {
    for await (const event of stream) {
      // Webhooks do not receive progress.
      if (event.type === 'job.progress') continue;
      await forward({ url, event, secret, retries: options.retries, signal }, (attempt) =>
        write(context, event, attempt, options.json === true),
      );
      forwarded = event.id;
    }
  } catch (error) {
    throw endOfStream(context, error, forwarded === undefined ? '' : `Continue with the option: --after ${forwarded}`);
  }
}

function urlOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw usageError(`'${text}' is no URL, as http://localhost:3000 is.`);
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;
const SECRET_BYTES = 32;

/** That of the environment, or the one that was made at the first use. */
async function secretOf({ environment }: Context): Promise<string> {
  const { webhookSecret: given, configDirectory } = environment;
  if (given !== undefined) {
    if (!SECRET.test(given)) throw usageError('KILN_WEBHOOK_SECRET must be whsec_ and at least 24 bytes in base64.');
    return given;
  }
  const config = await readUserConfig(configDirectory);
  if (config.webhookSecret !== undefined) return config.webhookSecret;
  const webhookSecret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  await writeUserConfig(configDirectory, { ...config, webhookSecret });
  return webhookSecret;
}

interface Forwarded {
  id: string;
  type: string;
}

function write({ terminal: { out } }: Context, { id, type }: Forwarded, attempt: Attempt, isJson: boolean): void {
  const { status, error, durationMs, retryInMs, number } = attempt;
  if (isJson) {
    const line = { id, type, attempt: number, status, error, duration_ms: durationMs, retry_in_ms: retryInMs };
    return out.write(`${JSON.stringify(line)}\n`);
  }
  if (!out.isTerminal) return out.write(`${[id, type, number, status ?? error, durationMs].join('\t')}\n`);
  const result = paint(out, attempt.isDelivered ? 'green' : 'red', String(status ?? error));
  const next = retryInMs === null ? '' : `  attempt ${number + 1} in ${retryInMs / 1_000} s`;
  out.write(`${type.padEnd(25)}  ${id}  ${result}  ${durationMs} ms${next}\n`);
}
