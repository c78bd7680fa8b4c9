import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { timestampSchema } from '../core/timestamps.js';
import { providerSchema } from '../files/schemas.js';

export const jobStatuses = ['queued', 'processing', 'completed', 'failed', 'cancelled'] as const;
export const jobStatusSchema = z.enum(jobStatuses);

/** Why a job failed: a message for people and a code for programs. */
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

/** The steps of a job, in order. A retry does not repeat a completed step. */
export const jobSteps = ['extract', 'metadata', 'thumbnails', 'embed', 'index', 'finish'] as const;

export const attemptStatuses = ['running', 'completed', 'failed', 'interrupted', 'cancelled'] as const;

/** One step of one run, or the run itself if it ended before its first step. */
export const timelineEntrySchema = z.object({
  attempt: z.int().meta({ description: 'The attempt this step belongs to, counted from 1.' }),
  step: z.enum(jobSteps).nullable().meta({ description: 'Null for an attempt that ended before its first step.' }),
  provider: z.string().nullable().meta({ description: 'The provider of the step. Null if the step used none.' }),
  status: z.enum(attemptStatuses).meta({
    description:
      '`failed`: the attempt ended at this step, whether or not another followed. `interrupted`: its worker stopped or died.',
  }),
  started_at: timestampSchema,
  ended_at: timestampSchema.nullable(),
  duration_ms: z.int().min(0).nullable(),
  error: jobErrorSchema.pick({ code: true, message: true }).nullable(),
});

export type TimelineEntry = z.output<typeof timelineEntrySchema>;

/** The number of most recent runs in a timeline. */
export const TIMELINE_ATTEMPTS_MAX = 100;

export const jobSchema = z.object({
  id: idSchema('job'),
  file_id: idSchema('file'),
  space: z.string().max(64),
  status: jobStatusSchema,
  provider: providerSchema.nullable(),
  step: z.enum(jobSteps).nullable().meta({ description: 'The current step, or the last one that was attempted.' }),
  progress: z.number().min(0).max(1),
  attempts: z.int().meta({ description: 'The number of attempts started so far.' }),
  error: jobErrorSchema.nullable(),
  batch_id: idSchema('batch').nullable(),
  created_at: timestampSchema,
  started_at: timestampSchema.nullable(),
  completed_at: timestampSchema.nullable().meta({ description: 'When the job completed. Null unless it did.' }),
  ended_at: timestampSchema.nullable().meta({ description: 'When the job completed, failed or was cancelled.' }),
});

/** A job with the timeline of its runs. */
export const jobDetailSchema = jobSchema.extend({
  timeline: z.array(timelineEntrySchema).meta({
    description: `Every step of the last ${TIMELINE_ATTEMPTS_MAX} attempts, in the order in which they started.`,
  }),
});
