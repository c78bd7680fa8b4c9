// Operations of the files service for runs of jobs. A call takes several runs of one tenant. The answer has one entry for each run, in
// the order of the request. A refused run does not affect the others.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { traceparentSchema } from '../core/trace.js';
import {
  contentTypeSchema,
  metadataSchema,
  ownedExternalIdSchema,
  providerSchema,
  sha256Schema,
  spaceSchema,
  variantTypes,
  variantTypeSchema,
} from './schemas.js';

/** The largest content of a variant that is stored in its row instead of in the object store. */
export const VARIANT_CONTENT_BYTES_MAX = 65_536;
/** The caller also keeps a call below the message size limit. */
export const RUNS_PER_CALL_MAX = 50;

/** One run of a file's job. Rejected unless the job is current and no run with a higher fencing token has begun. */
export const runSchema = z.object({
  file_id: idSchema('file'),
  job_id: idSchema('job'),
  fence: z.int().min(1).meta({ description: 'The fencing token of the run. A later run has a higher one.' }),
});

export const refusalSchema = z.object({ code: z.enum(['SUPERSEDED', 'CONFLICT']), message: z.string() });

/** A variant produced by a run: its text if small, or the key of its object. */
export const madeVariantSchema = z
  .object({
    type: variantTypeSchema,
    content_type: z.string(),
    size_bytes: z.int().min(0),
    provider: providerSchema.meta({
      description: 'The provider that read the file, also for a variant that is derived from its text.',
    }),
    content: z
      .string()
      .max(VARIANT_CONTENT_BYTES_MAX)
      .refine((text) => !text.includes('\0'), { error: 'must not hold NUL' })
      .nullable(),
    content_key: z.string().nullable(),
  })
  .refine(({ content, content_key: key }) => (content === null) !== (key === null), {
    error: 'must have either content or content_key',
  });

const begunFileSchema = z.object({
  space: spaceSchema,
  filename: z.string(),
  content_type: contentTypeSchema.nullable(),
  size_bytes: z.int().nullable(),
  metadata: metadataSchema,
  external_id: ownedExternalIdSchema,
  source_key: z.string(),
  is_in_bucket: z.boolean().meta({
    description:
      'Whether the bytes are in a connected bucket. Then openSource returns their place instead of source_key.',
  }),
  source_etag: z
    .string()
    .nullable()
    .meta({ description: 'The ETag of the version to read; null when the object has only one version.' }),
  sha256: sha256Schema
    .nullable()
    .meta({ description: 'The SHA-256 of the bytes to read; null until a run has read all of them.' }),
  job_number: z
    .int()
    .min(1)
    .meta({ description: "The place of this job among the file's jobs. A job with a lower number is older." }),
  variants: z
    .array(z.object({ type: variantTypeSchema, content_key: z.string().nullable() }))
    .meta({ description: 'The variants that earlier runs of this job have made; content_key is null for small ones.' }),
});

/** Codes of jobs whose bytes in a connected bucket cannot be read. */
export const sourceFaultCodes = ['corrupt_file', 'provider_unauthorized', 'provider_unavailable'] as const;
export type SourceFaultCode = (typeof sourceFaultCodes)[number];

const entriesOf = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).min(1).max(RUNS_PER_CALL_MAX);

export const runsOperations = {
  /** Begins runs. Returns what to process, and the variants that earlier runs of the same job produced. */
  beginRuns: operation({
    subject: 'files.beginRuns.v1',
    input: z.object({ runs: entriesOf(runSchema) }),
    output: z.object({
      runs: z.array(z.object({ file: begunFileSchema.nullable(), refusal: refusalSchema.nullable() })),
    }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /** Returns where to read the bytes of a file in a connected bucket. */
  openSource: operation({
    subject: 'files.openSource.v1',
    input: runSchema,
    output: z.object({
      url: z.url().nullable(),
      url_holds_credentials: z.boolean().optional().meta({
        description: 'Whether the URL contains the credentials of the bucket, so that only Kiln may read it.',
      }),
      bucket: z.string().meta({ description: 'The name of the bucket, for messages.' }),
      etag_header: z.string().meta({ description: 'The header of the answer that names the version.' }),
      fault: z.string().nullable().meta({ description: 'The reason why the bytes cannot be read, for people.' }),
      fault_code: z
        .enum(sourceFaultCodes)
        .nullish()
        .meta({ description: 'The code of the error with which the job fails. `corrupt_file` if it is missing.' }),
      content_type: contentTypeSchema
        .nullable()
        .meta({ description: 'The content type that the first bytes show; null when it is unknown.' }),
    }),
    errors: ['SUPERSEDED', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 12_000,
    idempotent: true,
  }),
  /** Makes variants visible before the run ends. */
  commitVariants: operation({
    subject: 'files.commitVariants.v1',
    input: runSchema.extend({ variants: z.array(madeVariantSchema).min(1).max(variantTypes.length) }),
    output: z.object({}),
    errors: ['SUPERSEDED', 'CONFLICT'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /** Finishes runs. Their variants become visible and their files become completed, in one transaction. */
  finishRuns: operation({
    subject: 'files.finishRuns.v1',
    input: z.object({
      runs: entriesOf(
        runSchema.extend({
          sha256: sha256Schema.nullable().meta({ description: 'The SHA-256 of the bytes that the run has read.' }),
          variants: z.array(madeVariantSchema).max(variantTypes.length),
          traceparent: traceparentSchema,
        }),
      ),
    }),
    output: z.object({
      runs: z.array(
        z.object({
          variants: z
            .array(variantTypeSchema)
            .nullable()
            .meta({ description: 'All variants that the file has now; null when the run is refused.' }),
          refusal: refusalSchema.nullable(),
        }),
      ),
    }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
};

export type MadeVariant = z.output<typeof madeVariantSchema>;
export type BegunRunFile = z.output<typeof begunFileSchema>;
