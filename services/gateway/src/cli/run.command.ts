// Runs operator commands: it reads the words of the command line, opens the database, and prints one readable message on a fault.
import { assertMigrated, connectionOptions, Database, readOptions, startOrExit } from '@kiln/platform';
import type { z } from 'zod';
import { entities } from '../entities.js';
import { migrations } from '../migrations/index.js';
import { loadCliConfig } from './cli.config.js';

interface Verb<Options extends z.ZodObject = z.ZodObject> {
  /** The schema of each `--name value`. */
  readonly options: Options;
  /** Returns the lines to print. */
  readonly run: (options: z.output<Options>, database: Database) => Promise<string[]>;
}

/** Keeps `run` and its options in step. */
export function verb<Options extends z.ZodObject>(definition: Verb<Options>): Verb {
  return definition;
}

/** Runs the verb that the first word names. Exits with 1 and the usage when the words make no sense. */
export function runCommand(verbs: Readonly<Record<string, Verb>>, usage: string): void {
  startOrExit(async () => {
    const { chosen, given } = readWords(verbs, usage);
    const connection = { ...connectionOptions(loadCliConfig()), connectionsMax: 1 };
    const options = { schema: 'gateway', entities, migrations, ...connection };
    const database = await Database.open(options, () => undefined); // A connection lost while idle shows as a failed statement.
    try {
      await assertMigrated(database);
      for (const line of await chosen.run(given, database)) process.stdout.write(`${line}\n`);
    } finally {
      await database.close();
    }
  });
}

function readWords(verbs: Readonly<Record<string, Verb>>, usage: string) {
  const [name = '', ...words] = process.argv.slice(2);
  const chosen = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!chosen) throw new Error(usage);
  const { options: schema } = chosen;
  const options = Object.fromEntries(Object.keys(schema.shape).map((key) => [key, { type: 'string' } as const]));
  return { chosen, given: readOptions(words, { options, schema, usage }) };
}

export const noOrganization = (id: string | undefined): Error =>
  new Error(`there is no organization ${id ?? 'yet'}; see kiln org list`);
