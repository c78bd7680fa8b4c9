// The words of `kiln search`.
import { describeProblems, idSchema } from '@kiln/contracts';
import { parseArgs } from 'node:util';
import { z } from 'zod';

export const USAGE = `usage:
  kiln search rebuild (--org ORG_ID | --all) [--file FILE_ID … | --after FILE_ID]

rebuild makes the index of files again from their variants: after the schema of the search service was lost, or to analyze files in a language
that the organization has set since. Searches go on, and find the former index of a file until the new one is complete. It can be
repeated, and run beside jobs. When it is interrupted, it prints the words to continue with.

  --org ORG_ID          (by pnpm kiln; elsewhere --tenant, see kiln org tenants)
  --all                 every organization (by pnpm kiln)
  --tenant TENANT_ID    of one mode of an organization; may be given more than once
  --file FILE_ID        only this file; may be given more than once
  --after FILE_ID       only files of the first tenant after this one, and the other tenants`;

const wordsSchema = z
  .object({
    tenant: z.array(z.uuid(), { error: 'give --tenant, --org or --all' }).min(1),
    file: z.array(idSchema('file')).default([]),
    after: idSchema('file').nullable().default(null),
  })
  .refine(({ file, after }) => file.length === 0 || after === null, { error: 'use either --file or --after' });

export type Words = z.output<typeof wordsSchema>;

const options = {
  tenant: { type: 'string', multiple: true },
  file: { type: 'string', multiple: true },
  after: { type: 'string' },
} as const;

/** Throws with the usage when the words make no sense. */
export function readWords([verb, ...words]: readonly string[]): Words {
  if (verb !== 'rebuild') throw new Error(USAGE);
  const parsed = wordsSchema.safeParse(parse(words));
  if (!parsed.success) throw new Error(`${describeProblems(parsed.error).replaceAll('; ', '\n')}\n\n${USAGE}`);
  return parsed.data;
}

function parse(args: string[]): unknown {
  try {
    return { ...parseArgs({ args, options, strict: true, allowPositionals: false }).values };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, { cause: error });
  }
}
