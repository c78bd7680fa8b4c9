// Injection tokens of syncs.

/** The access to buckets with the timeout of a sync. */
export const SYNC_ACCESS = Symbol('sync access');
/** The limits. */
export const SYNC_LIMITS = Symbol('sync limits');
/** The slots for list requests beyond one for each sync. */
export const SYNC_REQUESTS = Symbol('sync requests');
