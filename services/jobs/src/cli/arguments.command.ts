// The words of `kiln jobs`.
import { idSchema, jobErrorCodes, jobStatuses, providerSchema, spaceSchema } from '@kiln/contracts';
import { readOptions } from '@kiln/platform';
import { z } from 'zod';

export const USAGE = `usage:
  kiln jobs list    [FILTER …] [--limit N] [--json]
  kiln jobs inspect --job JOB_ID
  kiln jobs requeue (--job JOB_ID | FILTER … | --all) [--dry-run] [--json]
  kiln jobs cancel  (--job JOB_ID | FILTER … | --all) [--dry-run] [--json]

FILTER, all of which have to hold:
  --org ORG_ID          (by npm run kiln; elsewhere --tenant, see kiln org tenants)
  --tenant TENANT_ID    of one mode of an organization; may be given more than once
  --status ${jobStatuses.join('|')}
  --provider NAME
  --error CODE          ${jobErrorCodes.join('|')}
  --space NAME
  --older-than AGE      such as 90s, 15m, 6h, 7d: since the job was made

list shows the oldest of each tenant first, without a limit all of them. requeue tries failed jobs again, as POST
/v1/jobs/:id/retry does; cancel ends queued and processing ones. Both go through the service, so that what has changed
meanwhile is left alone, and every change is an event. --dry-run shows what would be asked for.`;

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const ageSchema = z
  .string()
  .regex(/^\d{1,6}[smhd]$/, { error: 'must be a number and s, m, h or d, such as 15m' })
  .transform((age) => Number(age.slice(0, -1)) * SECONDS[age.slice(-1) as keyof typeof SECONDS]);

const wordsSchema = z.object({
  job: idSchema('job').optional(),
  tenant: z.array(z.uuid()).min(1).optional(),
  status: z.enum(jobStatuses).optional(),
  provider: providerSchema.optional(),
  error: z.enum(jobErrorCodes).optional(),
  space: spaceSchema.optional(),
  'older-than': ageSchema.optional(),
  limit: z.coerce.number().int().min(1).optional(),
  all: z.boolean().default(false),
  'dry-run': z.boolean().default(false),
  json: z.boolean().default(false),
});
const verbSchema = z.enum(['list', 'inspect', 'requeue', 'cancel']);

export type Words = z.output<typeof wordsSchema>;
export type Verb = z.output<typeof verbSchema>;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;
const options = {
  job: text,
  tenant: texts,
  status: text,
  provider: text,
  error: text,
  space: text,
  'older-than': text,
  limit: text,
  all: flag,
  'dry-run': flag,
  json: flag,
} as const;
const FILTERS = ['tenant', 'status', 'provider', 'error', 'space', 'older-than'] as const;

/** Throws with the usage when the words make no sense, or when they would change every job without saying so. */
export function readWords(args: string[]): { verb: Verb; words: Words } {
  const verb = verbSchema.safeParse(args[0]);
  if (!verb.success) throw new Error(USAGE);
  const words = readOptions(args.slice(1), { options, schema: wordsSchema, usage: USAGE });
  const isFiltered = FILTERS.some((name) => words[name] !== undefined);
  const isChange = verb.data === 'requeue' || verb.data === 'cancel';
  if (verb.data === 'inspect' && words.job === undefined) throw new Error(`inspect wants --job\n\n${USAGE}`);
  if (isChange && [words.job !== undefined, isFiltered, words.all].filter(Boolean).length !== 1)
    throw new Error(`${verb.data} wants --job, or a filter, or --all\n\n${USAGE}`);
  return { verb: verb.data, words };
}
