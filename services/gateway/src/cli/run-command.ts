// What operator commands share: words on the command line, the database, and one readable message when something is wrong.
import { describeProblems } from '@kiln/contracts';
import { assertMigrated, Database, startOrExit } from '@kiln/platform';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { entities } from '../entities.js';
import { migrations } from '../migrations/index.js';
import { loadCliConfig } from './cli.config.js';

export interface Verb<Options extends z.ZodObject = z.ZodObject> {
  /** One for each `--name value`. */
  readonly options: Options;
  /** Answers the lines to print. */
  readonly run: (options: z.output<Options>, database: Database) => Promise<string[]>;
}

/** Keeps `run` and its options in step. */
export function verb<Options extends z.ZodObject>(definition: Verb<Options>): Verb {
  return definition;
}

/** Runs the verb that the first word names; exits with 1 and the usage when the words make no sense. */
export function runCommand(verbs: Readonly<Record<string, Verb>>, usage: string): void {
  startOrExit(async () => {
    const { chosen, options } = readWords(verbs, usage);
    const config = loadCliConfig();
    const database = await Database.open(
      {
        url: config.DATABASE_URL,
        schema: 'gateway',
        entities,
        migrations,
        connectionsMax: 1,
        statementTimeoutMs: config.KILN_DATABASE_STATEMENT_TIMEOUT_MS,
      },
      () => undefined, // A connection lost while idle shows as a failed statement.
    );
    try {
      await assertMigrated(database);
      for (const line of await chosen.run(options, database)) process.stdout.write(`${line}\n`);
    } finally {
      await database.close();
    }
  });
}

function readWords(verbs: Readonly<Record<string, Verb>>, usage: string) {
  const [name = '', ...words] = process.argv.slice(2);
  const chosen = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!chosen) throw new Error(usage);
  const names = Object.keys(chosen.options.shape);
  const result = chosen.options.safeParse(readOptions(names, words, usage));
  if (!result.success) throw new Error(`--${describeProblems(result.error).replaceAll('; ', '\n--')}\n${usage}`);
  return { chosen, options: result.data };
}

function readOptions(names: string[], words: string[], usage: string): Record<string, unknown> {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
    return { ...parseArgs({ args: words, options, strict: true, allowPositionals: false }).values };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${usage}`, { cause: error });
  }
}
