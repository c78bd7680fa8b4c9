import type { Schemas } from '@kiln/sdk';
import { Option } from 'commander';
import type { Context, Define } from '../../context.js';
import type { OutputOptions } from '../../terminal/output.js';
import type { Column } from '../../terminal/table.js';
import { withOutput } from '../options.js';
import { webhookColumns } from './columns.js';

interface Options extends OutputOptions {
  events: string;
  spaces?: string;
  description?: string;
}

const columns: readonly Column[] = [...webhookColumns, { field: 'secret', title: 'SECRET' }];

export const define: Define = (command, use) =>
  void withOutput(command, columns)
    .argument('<url>', 'where events are sent')
    .addOption(
      new Option('--events <types>', "such as file.processing.completed,job.failed; '*' for all").makeOptionMandatory(),
    )
    .option('--spaces <names>', 'only events about files of these spaces, separated by commas')
    .option('--description <text>', 'what the webhook is for')
    .action(use(create));

async function create(context: Context, url: string, options: Options): Promise<void> {
  const output = context.output(columns, options);
  const { events, spaces, description } = options;
  const request: Schemas['CreateWebhookRequest'] = {
    url,
    events: events.split(',') as Schemas['CreateWebhookRequest']['events'],
    ...(spaces !== undefined && { spaces: spaces.split(',') }),
    ...(description !== undefined && { description }),
  };
  output.object(await (await context.kiln()).webhooks.create(request, { signal: context.signal }));
  context.talk('The secret is shown only now.');
}
