// The words of `kiln search`.
import { idSchema } from '@kiln/contracts';
import { readOptions } from '@kiln/platform';
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
    tenant: z.array(z.uuid(), { error: 'must be given, or --org, or --all' }).min(1),
    file: z.array(idSchema('file')).default([]),
    after: idSchema('file').nullable().default(null),
  })
  .refine(({ file, after }) => file.length === 0 || after === null, {
    path: ['after'],
    error: 'cannot be used with --file',
  });

export type Words = z.output<typeof wordsSchema>;

const options = {
  tenant: { type: 'string', multiple: true },
  file: { type: 'string', multiple: true },
  after: { type: 'string' },
} as const;

/** Throws with the usage when the words cannot be read. */
export function readWords([verb, ...words]: readonly string[]): Words {
  if (verb !== 'rebuild') throw new Error(USAGE);
  return readOptions(words, { options, schema: wordsSchema, usage: USAGE });
}
