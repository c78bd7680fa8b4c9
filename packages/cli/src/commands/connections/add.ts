import type { Kiln, Schemas } from '@kiln/sdk';
import { Argument } from 'commander';
import type { Context, Define } from '../../context.js';
import { CommandFailure, usageError } from '../../exit-codes.js';
import { cleanLine } from '../../terminal/clean.js';
import type { OutputOptions } from '../../terminal/output.js';
import { isRecord } from '../../config/read-json.js';
import { note, withOutput } from '../options.js';
import { connectionColumns } from './columns.js';

const PROVIDERS = [
  's3',
  'gcs',
  'container_blob',
  'r2',
  'selfhost_s3',
  'b2',
  'spaces_store',
  'hot_store',
  'backend_storage',
] as const satisfies Schemas['Connection']['provider'][];
type Provider = (typeof PROVIDERS)[number];

interface Options extends OutputOptions {
  bucket?: string;
  name?: string;
  region?: string;
  prefix?: string;
}

export const define: Define = (command, use) =>
  void withOutput(command, connectionColumns)
    .addArgument(new Argument('<provider>', 'where the bucket is').choices(PROVIDERS))
    .option('--bucket <name>', 'the bucket; without it, only the steps are shown')
    .option('--name <name>', 'the name of the connection; default: that of the bucket')
    .option('--region <region>', 'the region of the bucket')
    .option('--prefix <prefix>', 'only objects whose keys begin so')
    .addHelpText(
      'after',
      note(
        'Shows the steps at the provider, and then asks for the credentials. Without a terminal they are read from a pipe as JSON: kiln connections add b2 --bucket acme < credentials.json',
      ),
    )
    .action(use(add));

async function add(context: Context, provider: Provider, options: Options): Promise<void> {
  const output = context.output(connectionColumns, options);
  const { signal, terminal } = context;
  const { bucket, name = bucket, region, prefix } = options;
  const kiln = await context.kiln();
  const guided = terminal.isInteractive || bucket === undefined;
  const fields = guided ? await guide(context, kiln, provider) : [];
  if (bucket === undefined || name === undefined) return;
  const credentials = terminal.isInteractive ? await ask(fields) : parsed(await terminal.readInput());
  output.object(
    await kiln.connections.verify(
      {
        provider,
        name,
        bucket,
        credentials,
        ...(region !== undefined && { region }),
        ...(prefix !== undefined && { prefix }),
      },
      { signal },
    ),
  );
}

/** Shows the steps, and returns the fields of the credentials. */
async function guide(context: Context, kiln: Kiln, provider: Provider): Promise<string[]> {
  const { instructions } = await kiln.connections.start({ provider }, { signal: context.signal });
  const {
    steps,
    role_arn: role,
    external_id: externalId,
    issuer,
    subject,
    jwks,
    required_fields: fields,
  } = instructions;
  for (const [at, step] of steps.entries()) context.talk(`${at + 1}. ${cleanLine(step)}`);
  if (role !== undefined) context.talk(`Role to trust: ${cleanLine(role)}`);
  if (externalId !== undefined) context.talk(`External id: ${cleanLine(externalId)}`);
  if (issuer !== undefined) context.talk(`Issuer: ${cleanLine(issuer)}`);
  if (subject !== undefined) context.talk(`Subject: ${cleanLine(subject)}`);
  if (jwks !== undefined) context.talk(`jwks.json: ${cleanLine(JSON.stringify(jwks))}`);
  context.talk(`Fields of the credentials: ${fields.join(', ')}`);
  return fields;
}

async function ask(fields: readonly string[]): Promise<Record<string, string>> {
  const { isCancel, password } = await import('@clack/prompts');
  const credentials: Record<string, string> = {};
  for (const field of fields) {
    const value = await password({ message: field, output: process.stderr });
    if (isCancel(value)) throw new CommandFailure('interrupted');
    credentials[field] = value;
  }
  return credentials;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The message must not contain the credentials.
  }
  throw usageError('The credentials must be a JSON object on a pipe: kiln connections add … < credentials.json');
}
