// The limits of the streams of events, which the service that keeps the streams applies (`events/stream-keeper.ts`).
import { z } from 'zod';
import { EVENT_DAYS_MAX, type EventLimits } from '../events/streams.js';

export const eventVariables = {
  /** Days after which an event is removed, also if a consumer has not received it. Most services receive it within a second. */
  KILN_EVENTS_DAYS: z.coerce.number().int().min(1).max(EVENT_DAYS_MAX).default(EVENT_DAYS_MAX),
  /**
   * Bytes of the stream of events, which the broker reserves. Events that all services have received are removed before it is full, the oldest first;
   * others are never removed for it. Without it the storage of the broker is the limit. docs/observability.md has the sizes.
   */
  KILN_EVENTS_BYTES_MAX: z.coerce.number().int().min(1_000_000).optional(),
  /** Bytes of the stream of public events, which the broker reserves. It loses its oldest events first: callers cannot resume from them. */
  KILN_PUBLIC_EVENTS_BYTES_MAX: z.coerce.number().int().min(1_000_000).optional(),
};

export const eventLimitsOf = (config: z.output<z.ZodObject<typeof eventVariables>>): EventLimits => ({
  days: config.KILN_EVENTS_DAYS,
  bytesMax: config.KILN_EVENTS_BYTES_MAX,
  publicBytesMax: config.KILN_PUBLIC_EVENTS_BYTES_MAX,
});
