import type { Kiln } from '@kiln/sdk';
import { Argument } from 'commander';
import type { Context, Define } from '../../context.js';
import { usageError } from '../../exit-codes.js';
import { cleanText } from '../../terminal/clean.js';
import type { OutputOptions } from '../../terminal/output.js';
import type { Column } from '../../terminal/table.js';
import { checkId, withOutput } from '../options.js';
import { fileColumns } from './columns.js';
import { writeOriginal } from './write-original.js';

const VARIANTS = ['markdown', 'embeddings', 'metadata', 'searchable-index', 'thumbnails', 'layout'] as const;
type VariantType = (typeof VARIANTS)[number];

interface Options extends OutputOptions {
  output?: string;
  original?: boolean;
}

const columns: readonly Column[] = [
  ...fileColumns.map(({ isExtra: _isExtra, ...column }) => column),
  { field: 'sha256', title: 'SHA-256' },
  { field: 'metadata', title: 'METADATA' },
  { field: 'variants', title: 'VARIANTS' },
];

export const define: Define = (command, use) =>
  void withOutput(command, columns)
    .argument('<file>', 'the id of a file')
    .addArgument(new Argument('[variant]', 'the variant to read, in place of the file').choices(VARIANTS))
    .option('-o, --output <path>', 'write the variant, or the original, to this path')
    .option('--original', 'the bytes that were uploaded, to a path or a pipe')
    .action(use(get));

async function get(context: Context, id: string, variant: VariantType | undefined, options: Options): Promise<void> {
  const output = context.output(columns, options);
  checkId(id, 'file');
  const isContent = variant !== undefined || options.original === true;
  if (isContent && (options.json === true || options.fields !== undefined))
    throw usageError('Content is written as it is stored: leave out --json and --fields.');
  if (variant !== undefined && options.original === true) throw usageError('Give either a variant or --original.');
  if (variant !== undefined) return writeVariant(context, id, variant, options);
  if (options.original === true) return writeOriginal(context, id, options.output);
  if (options.output !== undefined)
    throw usageError('--output needs a variant or --original: kiln get FILE markdown -o PATH');
  const kiln = await context.kiln();
  const file = await kiln.files.get(id, { signal: context.signal });
  output.object(output.isJson ? file : { ...file, variants: file.variants.map(({ type }) => type) });
}

async function writeVariant(context: Context, id: string, variant: VariantType, options: Options): Promise<void> {
  const kiln: Kiln = await context.kiln();
  const { signal, terminal } = context;
  const text = await kiln.variants.read(id, variant, { signal });
  if (options.output !== undefined) {
    const { writeFile } = await import('node:fs/promises');
    await writeFile(options.output, text);
    return context.talk(`${variant} is written to ${options.output}.`);
  }
  const { out } = terminal;
  if (!out.isTerminal) return out.write(text);
  out.write(`${cleanText(text).trimEnd()}\n`);
}
