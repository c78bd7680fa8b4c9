// The words of `kiln search`.
import { idSchema, textStoreSchema } from '@kiln/contracts';
import { readOptions } from '@kiln/platform';
import { z } from 'zod';

export const USAGE = `usage:
  kiln search rebuild (--org ORG_ID | --all) [--file FILE_ID … | --after FILE_ID] [--to postgres|opensearch]
  kiln search reembed (--org ORG_ID | --all) [--model MODEL] [--partial]

rebuild makes the index of files again from their variants: after the schema of the search service was lost, or to analyze files in a language
that the organization has set since. Searches go on, and find the former index of a file until the new one is complete. It can be
repeated, and run beside jobs. When it is interrupted, it prints the words to continue with.

reembed embeds indexed files with another model. It reads their variants, processes no file and counts no pages. Searches use the former vectors
until all files have new ones. If it is interrupted, run it again: it skips files that are done.

  --org ORG_ID          (by npm run kiln; elsewhere --tenant, see kiln org tenants)
  --all                 every organization (by npm run kiln)
  --tenant TENANT_ID    of one mode of an organization; may be given more than once
  --file FILE_ID        only this file; may be given more than once
  --after FILE_ID       only files of the first tenant after this one, and the other tenants
  --to STORE            also moves the text index of the organization to PostgreSQL or OpenSearch, and new files with it
  --model MODEL         default: the embedding model in the settings of the organization
  --partial             files that cannot be embedded keep their vectors, and the others get new ones`;

const tenantsSchema = z.object({
  tenant: z.array(z.uuid(), { error: 'must be given, or --org, or --all' }).min(1),
});

const rebuildSchema = tenantsSchema
  .extend({
    file: z.array(idSchema('file')).default([]),
    after: idSchema('file').nullable().default(null),
    to: textStoreSchema.nullable().default(null),
  })
  .refine(({ file, after }) => file.length === 0 || after === null, {
    path: ['after'],
    error: 'cannot be used with --file',
  })
  .refine(({ file, to }) => file.length === 0 || to === null, {
    path: ['to'],
    error: 'cannot be used with --file',
  });

const reembedSchema = tenantsSchema.extend({
  model: z.string().min(1).nullable().default(null),
  partial: z.boolean().default(false),
});

const tenants = { tenant: { type: 'string', multiple: true } } as const;
const rebuildOptions = {
  ...tenants,
  file: { type: 'string', multiple: true },
  after: { type: 'string' },
  to: { type: 'string' },
} as const;
const reembedOptions = { ...tenants, model: { type: 'string' }, partial: { type: 'boolean' } } as const;

export type RebuildWords = z.output<typeof rebuildSchema>;
export type ReembedWords = z.output<typeof reembedSchema>;
export type Words = ({ verb: 'rebuild' } & RebuildWords) | ({ verb: 'reembed' } & ReembedWords);

/** Throws with the usage when the words cannot be read. */
export function readWords([verb, ...words]: readonly string[]): Words {
  if (verb === 'rebuild')
    return { verb, ...readOptions(words, { options: rebuildOptions, schema: rebuildSchema, usage: USAGE }) };
  if (verb === 'reembed')
    return { verb, ...readOptions(words, { options: reembedOptions, schema: reembedSchema, usage: USAGE }) };
  throw new Error(USAGE);
}
