/** Sent when a schedule was set, or is no longer paused: a sync may be due. */
export const SYNC_SCHEDULED = 'connections.sync-scheduled';
/** Sent when a sync was started: a worker may claim it. */
export const SYNC_DUE = 'connections.sync-due';
/** Sent when a sync was completed, failed or cancelled. */
export const SYNC_ENDED = 'connections.sync-ended';
/** Sent when a sync was cancelled: the worker that runs it stops. */
export const SYNC_CANCELLED = 'connections.sync-cancelled';
/** Sent when a connection was deleted: a worker removes its rows. */
export const CONNECTION_DELETED = 'connections.deleted';
/** Sent when a connection got a queue of notifications, or is no longer paused: its poll is due. */
export const NOTIFICATIONS_CHANGED = 'connections.notifications-changed';
