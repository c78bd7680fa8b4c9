// Why jobs have failed.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { limitSchema } from '../core/pagination.js';
import { timestampSchema } from '../core/timestamps.js';
import { providerSchema } from '../files/schemas.js';
import { jobErrorCodes, jobErrorSchema } from '../jobs/schemas.js';

const reasonSchema = jobErrorSchema.shape.code.meta({ description: 'The error code of the job.' });

export const failuresSchema = z.object({
  failures: z.array(
    z.object({
      job_id: idSchema('job'),
      file_id: idSchema('file'),
      filename: z.string(),
      provider: providerSchema.nullable().meta({ description: 'Null if no provider reads the type of the file.' }),
      reason: reasonSchema,
      message: jobErrorSchema.shape.message,
      failed_at: timestampSchema,
    }),
  ),
});

export const topFailuresSchema = z.object({
  failures: z
    .array(
      z.object({
        reason: reasonSchema,
        count: z.int().min(1).meta({ description: 'Times a job failed for this reason.' }),
        last_seen: timestampSchema,
      }),
    )
    .max(jobErrorCodes.length),
});

const reading = { errors: [], timeoutMs: 3_000, idempotent: true } as const;

export const failuresOperations = {
  /** Failed jobs, newest first, unless they were retried or their file was deleted. */
  listFailures: operation({
    subject: 'analytics.listFailures.v1',
    input: z.object({ limit: limitSchema(20) }),
    output: failuresSchema,
    ...reading,
  }),
  /** All failures that have ever happened, by reason, the most frequent first. */
  listTopFailures: operation({
    subject: 'analytics.listTopFailures.v1',
    input: z.object({ limit: limitSchema(10) }),
    output: topFailuresSchema,
    ...reading,
  }),
};
