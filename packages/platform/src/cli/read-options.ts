// The options of an operator's command: `--name value`.
import { problemsOf } from '@kiln/contracts';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { z } from 'zod';

interface CommandOptions<Schema extends z.ZodType> {
  options: NonNullable<ParseArgsConfig['options']>;
  schema: Schema;
  usage: string;
}

/** Checks the words after the verb. Throws one message that names each wrong option and ends with the usage. */
export function readOptions<Schema extends z.ZodType>(
  words: readonly string[],
  { options, schema, usage }: CommandOptions<Schema>,
): z.output<Schema> {
  const result = schema.safeParse(parse(words, options, usage));
  if (result.success) return result.data;
  const problems = problemsOf(result.error).map((problem) => `--${problem}`);
  throw new Error(`${problems.join('\n')}\n\n${usage}`);
}

function parse(words: readonly string[], options: NonNullable<ParseArgsConfig['options']>, usage: string) {
  try {
    return { ...parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, { cause: error });
  }
}
