// Extractions by an organization's own extractor: what it is sent, what it answers, and how its answer reaches the job.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { extractionProviders } from '../files/schemas.js';

/** The faults of a file that an extractor can report. */
export const extractionFaults = ['unsupported_type', 'corrupt_file', 'encrypted_file', 'file_too_large'] as const;

/** The body of Kiln's request to the extractor. */
export const extractionRequestSchema = z.object({
  id: idSchema('extraction').meta({ description: 'The same when the request is repeated.' }),
  file: z.object({
    url: z.url().meta({ description: 'Signed. A GET returns the bytes.' }),
    url_expires_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Null if the bytes are in a connected bucket: get them within minutes.' }),
    filename: z.string(),
    content_type: z.string(),
    size_bytes: z.int().min(0).nullable(),
  }),
  callback_url: z
    .url()
    .nullable()
    .meta({ description: 'Null if this installation takes no results later: answer 200.' }),
  callback_deadline: z.iso.datetime().meta({ description: 'A result that comes later is refused.' }),
  options: z.object({
    provider: z.enum(extractionProviders),
    output_bytes_max: z.int().min(1).meta({ description: 'Of the markdown, in UTF-8.' }),
  }),
});

const pageSchema = z.object({ markdown: z.string() });
const PAGES_MAX = 10_000;
const text = (charactersMax: number) => z.string().max(charactersMax);

/** The extractor's result, at once or later. Unknown fields are ignored. */
export const extractionResultSchema = z
  .object({
    markdown: z.string().optional().meta({ description: 'The whole text, for a file without pages.' }),
    pages: z.array(pageSchema).max(PAGES_MAX).optional().meta({ description: 'Instead: its pages, in order.' }),
    title: text(1_000).nullish(),
    author: text(1_000).nullish(),
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/, { error: 'must be a code of ISO 639' })
      .nullish(),
    error: z
      .object({ code: z.enum(extractionFaults), message: text(500) })
      .optional()
      .meta({ description: 'Instead of text: why the file cannot be read, for its owner.' }),
  })
  .refine(({ markdown, pages, error }) => [markdown, pages, error].filter((part) => part !== undefined).length === 1, {
    error: 'must have exactly one of markdown, pages and error',
  });

export type ExtractionRequest = z.output<typeof extractionRequestSchema>;
export type ExtractionResult = z.output<typeof extractionResultSchema>;

const place = { job_id: idSchema('job'), extraction_id: idSchema('extraction') };
const KEY_CHARACTERS_MAX = 1_024;

export const extractionsOperations = {
  /** The data with which the gateway checks and stores a result. NOT_FOUND when no run waits for it (any more). */
  getExtraction: operation({
    subject: 'jobs.getExtraction.v1',
    input: z.object(place),
    output: z.object({
      provider: z.enum(extractionProviders),
      sealed_secret: z
        .base64()
        .meta({ description: 'encrypted with KILN_ENCRYPTION_KEY for this organization and provider' }),
      result_key: z
        .string()
        .max(KEY_CHARACTERS_MAX)
        .meta({ description: 'where to store the result: a new key for each call' }),
      result_bytes_max: z.int().min(1),
    }),
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** The result is stored, and the job continues. `accepted` is false when an earlier result was stored, which stays. */
  acceptExtraction: operation({
    subject: 'jobs.acceptExtraction.v1',
    input: z.object({ ...place, result_key: z.string().min(1).max(KEY_CHARACTERS_MAX) }),
    output: z.object({ accepted: z.boolean() }),
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};
