// Operations of the workers of the jobs service, which alone open untrusted documents.
import { z } from 'zod';
import { operation, type OperationInput, type OperationOutput } from '../core/operation.js';
import { PAGE_MAX, pageImageWidths } from '../files/page-images.js';
import { extractionProviders } from '../files/schemas.js';
import { KEY_TEST_TIMEOUT_MS, keyTestSchema } from './provider-keys.js';

/** The bytes of a file: in Kiln's own store, or in a connected bucket. */
const sourceSchema = z.object({
  key: z.string().meta({ description: "In Kiln's own store." }),
  etag: z.string().nullable().meta({ description: 'The version to read; null when there is only one.' }),
  size_bytes: z.int().min(0).nullable(),
  bucket: z
    .object({ url: z.url(), name: z.string(), etag_header: z.string() })
    .nullable()
    .meta({ description: 'Where the bytes are in a connected bucket; null: in `key`.' }),
});

export const enginesSchema = z.object({
  documents: z.boolean().meta({ description: 'Whether an engine reads documents.' }),
  images: z.boolean().meta({ description: 'Whether an engine reads text in images and scans.' }),
  audio: z.boolean().meta({ description: 'Whether an engine transcribes speech.' }),
});

export const jobsWorkerOperations = {
  /** Which files of the caller an engine can read. Workers alone know their engines. */
  findEngines: operation({
    subject: 'jobs.findEngines.v1',
    input: z.object({}),
    output: enginesSchema,
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** Sends a small file to the provider with the organization's own key, or to its own extractor. Called for the live tenant. */
  testExtractionKey: operation({
    subject: 'jobs.testExtractionKey.v1',
    input: z.object({ provider: z.enum(extractionProviders) }),
    output: keyTestSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: KEY_TEST_TIMEOUT_MS,
    idempotent: false,
  }),
  /** Draws a page as PNG, and stores it. */
  drawPage: operation({
    subject: 'jobs.drawPage.v1',
    input: z.object({
      filename: z.string(),
      content_type: z.string(),
      source: sourceSchema,
      page: z.int().min(1).max(PAGE_MAX),
      width: z.literal(pageImageWidths),
      image_key: z.string().meta({ description: 'Where to store the image.' }),
    }),
    output: z.object({
      page_count: z.int().min(0).meta({ description: 'If it is less than `page`, nothing was stored.' }),
    }),
    errors: ['CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 40_000,
    idempotent: true,
  }),
};

type WorkerOperations = typeof jobsWorkerOperations;
export type WorkerInput<Name extends keyof WorkerOperations> = OperationInput<WorkerOperations[Name]>;
export type WorkerOutput<Name extends keyof WorkerOperations> = OperationOutput<WorkerOperations[Name]>;
