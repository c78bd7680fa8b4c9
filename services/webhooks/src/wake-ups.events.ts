/** Tells delivery workers that a delivery may be due. */
export const WEBHOOKS_WAKE_UP = 'webhooks.deliveries';
/** Sent when a replay has begun. */
export const REPLAYS_WAKE_UP = 'webhooks.replays';
/** Sent when webhooks were created, changed or deleted. */
export const SUBSCRIBERS_CHANGED = 'webhooks.subscribers-changed';
