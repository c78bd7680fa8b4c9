// How long a gateway takes to stop.
import { CLOSE_DEADLINE_MS } from '@kiln/platform';
import { z } from 'zod';

export const drainVariables = {
  /**
   * How long running requests, including uploads, may take to finish after SIGTERM. The process ends as soon as they have. The grace period of
   * the process must be longer than all phases below.
   */
  KILN_DRAIN_SECONDS: z.coerce.number().int().min(1).max(3_600).default(600),
  /**
   * The part of that time, at most half of it, in which new requests are still answered, with `Connection: close`. It is longer than
   * load balancers take to notice that a process is not ready.
   */
  KILN_DRAIN_NOTICE_SECONDS: z.coerce.number().int().min(0).max(1_800).default(1),
};

/** The deadlines of the phases of a shutdown. */
export const gatewayPhases = ({ KILN_DRAIN_SECONDS: seconds }: { readonly KILN_DRAIN_SECONDS: number }) => ({
  requests: seconds * 1_000 + CLOSE_DEADLINE_MS,
  housekeeping: CLOSE_DEADLINE_MS,
  requestLog: CLOSE_DEADLINE_MS,
  bus: CLOSE_DEADLINE_MS,
  redis: CLOSE_DEADLINE_MS,
  database: CLOSE_DEADLINE_MS,
  objectStore: CLOSE_DEADLINE_MS,
  traces: CLOSE_DEADLINE_MS,
  health: CLOSE_DEADLINE_MS,
});
