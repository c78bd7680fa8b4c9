import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { timestampSchema } from '../core/timestamps.js';
import { providerSchema } from '../files/schemas.js';

export const jobStatuses = ['queued', 'processing', 'completed', 'failed', 'cancelled'] as const;
export const jobStatusSchema = z.enum(jobStatuses);

/** Why a job failed, in words for a person and a code for a program. */
export const jobErrorCodes = [
  'unsupported_type',
  'corrupt_file',
  'encrypted_file',
  'file_too_large',
  'provider_unauthorized',
  'provider_unavailable',
  'upload_expired',
  'timeout',
  'internal',
] as const;

export const jobErrorSchema = z.object({
  code: z.enum(jobErrorCodes),
  message: z.string(),
  retryable: z.boolean(),
});

export type JobError = z.output<typeof jobErrorSchema>;

/** The steps of a job, in order. A finished step is not repeated by a retry. */
export const jobSteps = ['extract', 'metadata', 'index', 'finish'] as const;

export const jobSchema = z.object({
  id: idSchema('job'),
  file_id: idSchema('file'),
  space: z.string(),
  status: jobStatusSchema,
  provider: providerSchema.nullable(),
  step: z.enum(jobSteps).nullable().meta({ description: 'the step at work or last tried' }),
  progress: z.number().min(0).max(1),
  attempts: z.int().meta({ description: 'runs begun so far' }),
  error: jobErrorSchema.nullable(),
  batch_id: idSchema('batch').nullable(),
  created_at: timestampSchema,
  started_at: timestampSchema.nullable(),
  completed_at: timestampSchema.nullable(),
});
