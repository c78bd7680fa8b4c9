// Options that several commands share.
import { InvalidArgumentError, type Command } from 'commander';
import type { Context } from '../context.js';
import { usageError } from '../exit-codes.js';
import type { Column } from '../terminal/table.js';
import { wrap } from '../terminal/wrap.js';

const NOTE_COLUMNS = 80;

/** A paragraph for the end of the help. */
export const note = (text: string): string => `\n${wrap(text, NOTE_COLUMNS).join('\n')}`;

/** Adds `--json` and `--fields`, and names the fields in the help. */
export const withOutput = (command: Command, columns: readonly Column[]): Command =>
  command
    .option('--json', 'print JSON, one object per line')
    .option('--fields <names>', 'only these fields, separated by commas')
    .addHelpText('after', note(`Fields: ${columns.map(({ field }) => field).join(', ')}`));

/** A whole number from `min` to `max`. */
export const integer =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };

export const collect = (value: string, former: readonly string[] = []): string[] => [...former, value];

/** `key=value`, several times. */
export function collectPairs(text: string, former: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must have the form key=value.');
  return { ...former, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Asks on a terminal. Elsewhere it throws a usage error, unless `--yes` is given. */
export async function confirmDeletion({ terminal }: Context, question: string, isAgreed = false): Promise<void> {
  if (isAgreed) return;
  if (!terminal.isInteractive) throw usageError(`${question} Add --yes to agree.`);
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({ message: question, initialValue: false, output: process.stderr });
  if (answer !== true) throw usageError('Nothing was deleted.');
}

/** The space of `--space`, the environment, the project or the profile. */
export async function spaceOf(context: Context, space?: string): Promise<string | undefined> {
  return space ?? (await context.settings()).space.value;
}

const ID_PATTERN = /^[a-z]+_[0-9a-z]+$/;

/** Throws a usage error for an id of another kind. */
export function checkId(id: string, prefix: string): string {
  if (ID_PATTERN.test(id) && id.startsWith(`${prefix}_`)) return id;
  throw usageError(`'${id}' is no id: it must begin with ${prefix}_`);
}
