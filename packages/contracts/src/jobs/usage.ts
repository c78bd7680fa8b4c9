// Pages: what work is counted in. A page is counted when its job completes; where the plan ends hard, room for it is reserved
// before the job is accepted.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';

export const RESERVATIONS_PER_CALL_MAX = 1_000;

const usagePeriodSchema = z.string().regex(/^\d{4}-\d{2}$/);
const pagesSchema = z.number().min(0);

/** As the API shows it. */
export const usageSchema = z.object({
  period: usagePeriodSchema.meta({ description: 'the month, in UTC' }),
  pages_used: pagesSchema.meta({
    description: "pages of jobs that completed; those processed with the organization's own provider key count at 0.6",
  }),
  pages_limit: z.int().nullable().meta({ description: 'null where the plan has none' }),
  plan: z.string(),
  overage_pages: pagesSchema.meta({ description: 'pages used beyond pages_limit' }),
});

/** A job that is to be made, and what is known of its file: its pages follow from that, where they can be known before it is read. */
const expectedJobSchema = z.object({
  id: idSchema('job'),
  content_type: z.string().nullish(),
  size_bytes: z.int().min(0).nullish(),
});

export type ExpectedJob = z.output<typeof expectedJobSchema>;

const jobIdsSchema = z.array(idSchema('job')).min(1).max(RESERVATIONS_PER_CALL_MAX);

/** Asked in the name of the organization's live plane; test planes use no pages. */
export const usageOperations = {
  getUsage: operation({
    subject: 'jobs.getUsage.v1',
    input: z.object({}),
    output: z.object({ period: usagePeriodSchema, pages_used: pagesSchema }),
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /**
   * The pages of each job, all or none: QUOTA_EXCEEDED when used and reserved pages leave no room. A job whose pages can not be
   * known reserves one, and its run the others. A reservation holds until its lease ends, and as long as its job is queued or
   * processing. Asked again, it is kept, raised or made anew.
   */
  reservePages: operation({
    subject: 'jobs.reservePages.v1',
    input: z.object({
      jobs: z.array(expectedJobSchema).min(1).max(RESERVATIONS_PER_CALL_MAX),
      pages_limit: z.int().min(0),
    }),
    output: z.object({
      reserved: z.array(idSchema('job')).meta({ description: 'those that had no reservation before' }),
      lease_seconds: z.int(),
    }),
    errors: ['QUOTA_EXCEEDED'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /** For jobs that will not be: what a queued or processing job holds stays. */
  releasePages: operation({
    subject: 'jobs.releasePages.v1',
    input: z.object({ job_ids: jobIdsSchema }),
    output: z.object({}),
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};
