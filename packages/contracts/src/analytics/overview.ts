// The present state of a tenant: its files, jobs, variants and connections, without deleted ones.
import { z } from 'zod';
import { operation } from '../core/operation.js';
import { fileStatusSchema } from '../files/schemas.js';

/** The most content types and spaces that are returned, those with the most files first. */
export const BREAKDOWN_MAX = 1_000;

const countSchema = z.int().min(0);
const rateSchema = z.number().min(0).max(1);

export const overviewSchema = z.object({
  total_files: countSchema,
  total_jobs: countSchema,
  total_variants: countSchema,
  total_connections: countSchema,
  success_rate: rateSchema.meta({
    description: 'Completed jobs / (completed jobs + failed jobs). 0 if there are none.',
    examples: [0.98],
  }),
  files_by_status: z.record(fileStatusSchema, countSchema),
});

export const fileTypesSchema = z.object({
  types: z
    .array(
      z.object({
        content_type: z.string().meta({
          description: '`application/octet-stream` for files whose type is not known.',
          examples: ['application/pdf'],
        }),
        count: countSchema,
        total_bytes: countSchema,
      }),
    )
    .max(BREAKDOWN_MAX),
});

export const spaceHealthSchema = z.object({
  spaces: z
    .array(
      z.object({
        space: z.string(),
        file_count: countSchema,
        completed: countSchema.meta({ description: 'Files in status `completed`.' }),
        failed: countSchema.meta({ description: 'Files in status `failed`.' }),
        success_rate: rateSchema.meta({ description: 'Completed files / (completed + failed). 0 if there are none.' }),
        health_score: z.int().min(0).max(100).meta({
          description: 'The percentage of the files of the space that have not failed, rounded down.',
        }),
      }),
    )
    .max(BREAKDOWN_MAX),
});

const input = z.object({});
const reading = { input, errors: [], timeoutMs: 3_000, idempotent: true } as const;

export const overviewOperations = {
  getOverview: operation({ subject: 'analytics.getOverview.v1', output: overviewSchema, ...reading }),
  getFileTypes: operation({ subject: 'analytics.getFileTypes.v1', output: fileTypesSchema, ...reading }),
  getSpaceHealth: operation({ subject: 'analytics.getSpaceHealth.v1', output: spaceHealthSchema, ...reading }),
};
