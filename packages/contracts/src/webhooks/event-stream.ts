// The stream of events: the payloads of webhooks while they happen, and the progress of jobs.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { spaceSchema } from '../files/schemas.js';
import { jobSteps } from '../jobs/schemas.js';
import { TEST_EVENT_TYPE, webhookEventTypes, webhookPayloadSchema } from './event-types.js';

/** Sent by streams only. It is not stored, so a resumed stream does not repeat it. */
export const PROGRESS_TYPE = 'job.progress';

/** The progress of a run, at most once a second for each job. */
export const jobProgressSchema = z.object({
  job_id: idSchema('job'),
  file_id: idSchema('file'),
  space: z.string(),
  step: z.enum(jobSteps).meta({ description: 'The step that is running.' }),
  progress: z
    .number()
    .min(0)
    .max(1)
    .meta({ description: 'The share of the steps before it, as in `GET /v1/jobs/:id`.' }),
});

export type JobProgress = z.output<typeof jobProgressSchema>;

const eventTypes = webhookEventTypes.filter((type) => type !== TEST_EVENT_TYPE);
export const streamedTypes = [...eventTypes, PROGRESS_TYPE] as const;

const typesError = `must be some of ${streamedTypes.join(', ')}, separated by commas`;

export const eventStreamQuerySchema = z.object({
  types: z
    .string()
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(z.enum(streamedTypes, { error: typesError })))
    .optional()
    .meta({
      description: 'The types of events, separated by commas. Default: all.',
      examples: ['file.processing.completed,job.progress'],
    }),
  space: spaceSchema.optional().meta({ description: 'Only events about files of this space.' }),
  file_id: idSchema('file').optional().meta({ description: 'Only events about this file.' }),
  job_id: idSchema('job').optional().meta({ description: 'Only events about this job.' }),
});

export type EventStreamQuery = z.output<typeof eventStreamQuerySchema>;

export const lastEventIdSchema = idSchema('event').meta({
  description:
    'The id of the last event that arrived, of the last 24 hours. The stream begins with the event after it.',
});

const progressEventSchema = z.object({
  type: z.literal(PROGRESS_TYPE),
  created_at: z.iso.datetime(),
  org_id: idSchema('organization'),
  data: jobProgressSchema,
});

/** The `data` of each server-sent event. */
export const streamedEventSchema = z.union([...eventTypes.map(webhookPayloadSchema), progressEventSchema]);
