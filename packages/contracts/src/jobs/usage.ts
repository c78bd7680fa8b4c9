// Pages, the unit of the quota. A page counts when its job completes. If the plan has a hard limit, pages are reserved
// before the job is accepted.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';

export const RESERVATIONS_PER_CALL_MAX = 1_000;

const usagePeriodSchema = z.string().regex(/^\d{4}-\d{2}$/);
const pagesSchema = z.number().min(0);

/** As returned by the API. */
export const usageSchema = z.object({
  period: usagePeriodSchema.meta({ description: 'The month, in UTC.' }),
  pages_used: pagesSchema.meta({
    description: "The pages of completed jobs. Pages processed with the organization's own provider key count at 0.6.",
  }),
  pages_limit: z.int().nullable().meta({ description: 'Null if the plan has no limit.' }),
  plan: z.string(),
  overage_pages: pagesSchema.meta({ description: 'The pages used beyond `pages_limit`.' }),
});

/** A job to be created, with the properties of its file from which its pages can be estimated. */
const expectedJobSchema = z.object({
  id: idSchema('job'),
  content_type: z.string().nullish(),
  size_bytes: z.int().min(0).nullish(),
});

export type ExpectedJob = z.output<typeof expectedJobSchema>;

const jobIdsSchema = z.array(idSchema('job')).min(1).max(RESERVATIONS_PER_CALL_MAX);

/** Called for the live tenant of the organization; test mode uses no pages. */
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
   * Reserves the pages of each job, all or none. QUOTA_EXCEEDED if used and reserved pages exceed the limit. A job whose pages are
   * unknown reserves one; its run reserves the others. A reservation lasts until its lease ends, and while its job is queued or
   * processing. A repeat keeps, raises or renews it.
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
  /** Releases the reservations of jobs that were not created. A queued or processing job keeps its pages. */
  releasePages: operation({
    subject: 'jobs.releasePages.v1',
    input: z.object({ job_ids: jobIdsSchema }),
    output: z.object({}),
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};
