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
  'quota_exceeded',
  'timeout',
  'internal',
] as const;

const JOB_ERROR_LENGTH_MAX = 2_000;

export const jobErrorSchema = z.object({
  code: z.enum(jobErrorCodes),
  message: z.string().max(JOB_ERROR_LENGTH_MAX),
  retryable: z.boolean(),
});

export type JobError = z.output<typeof jobErrorSchema>;

/** The steps of a job, in order. A finished step is not repeated by a retry. */
export const jobSteps = ['extract', 'metadata', 'embed', 'index', 'finish'] as const;

export const attemptStatuses = ['running', 'completed', 'failed', 'interrupted', 'cancelled'] as const;

/** One step of one run, or the whole run when it ended before its first step. */
export const timelineEntrySchema = z.object({
  attempt: z.int().meta({ description: 'the run this belongs to, counted from 1' }),
  step: z.enum(jobSteps).nullable().meta({ description: 'null for a run that ended before its first step' }),
  provider: z.string().nullable().meta({ description: 'who did the work of the step; null when nobody was asked' }),
  status: z.enum(attemptStatuses).meta({
    description: 'failed: the run ended here, whether or not another followed; interrupted: its worker stopped or died',
  }),
  started_at: timestampSchema,
  ended_at: timestampSchema.nullable(),
  duration_ms: z.int().min(0).nullable(),
  error: jobErrorSchema.pick({ code: true, message: true }).nullable(),
});

export type TimelineEntry = z.output<typeof timelineEntrySchema>;

/** How many of a job's runs its timeline shows: the last ones. */
export const TIMELINE_ATTEMPTS_MAX = 100;

export const jobSchema = z.object({
  id: idSchema('job'),
  file_id: idSchema('file'),
  space: z.string().max(64),
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

/** A job by itself also tells what its runs came to. */
export const jobDetailSchema = jobSchema.extend({
  timeline: z.array(timelineEntrySchema).meta({
    description: `every step of every run, in the order in which they began; of the last ${TIMELINE_ATTEMPTS_MAX} runs`,
  }),
});
