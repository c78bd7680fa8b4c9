import { z } from 'zod';
import { queryNumberSchema } from '../core/query-numbers.js';

export const WAIT_SECONDS_MAX = 60;

/** Of a job or a batch. */
export const waitQuerySchema = z.object({
  wait: queryNumberSchema(0, WAIT_SECONDS_MAX).default(0).meta({
    description:
      'Seconds to wait for the end, at most 60. The response comes when it has ended, or with the state after that time.',
  }),
});
