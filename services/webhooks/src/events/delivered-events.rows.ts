// SQL about the deliveries of an event `e`.

/** The maximum difference of clocks between the time of an event and its record. */
export const CLOCK_SKEW = `interval '10 minutes'`;

/**
 * Whether a delivery of the event has succeeded. The id of a delivery begins with the time at which it was made. So the partitions of days before the event, and
 * of days to come, are not read.
 */
export const IS_DELIVERED = `exists (select 1 from finished_deliveries s
  where s.tenant_id = e.tenant_id and s.event_id = e.id and s.status = 'delivered'
    and s.id >= uuid_floor(e.created_at - ${CLOCK_SKEW}) and s.id < uuid_floor(now() + ${CLOCK_SKEW}))`;
