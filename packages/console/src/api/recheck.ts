// How often a page reads its files again without an event.
import type { StreamState } from './live-events.js';

/** The interval while the page receives no events. */
export const POLL_MS = 5_000;
/** The interval while it does. The files service may receive an event later than the page, which then reads the former status. */
const RECHECK_MS = 15_000;

const isUnderWay = ({ status }: { status: string }): boolean => status === 'processing' || status === 'uploading';

/** Returns false if no file is under way. */
export const recheckMs = (files: readonly { status: string }[], stream: StreamState): number | false =>
  files.some(isUnderWay) && (stream === 'refused' ? POLL_MS : RECHECK_MS);
