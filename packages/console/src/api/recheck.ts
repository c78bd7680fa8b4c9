// When files that a page shows are read again, besides what events tell.
import type { StreamState } from './live-events.js';

/** While no events arrive. */
export const POLL_MS = 5_000;
/** The files service may receive an event after the page, and what was read before an event may arrive after it: both show the former status. */
const RECHECK_MS = 15_000;

const isUnderWay = ({ status }: { status: string }): boolean => status === 'processing' || status === 'uploading';

/** False for none: all files have ended. */
export const recheckMs = (files: readonly { status: string }[], stream: StreamState): number | false =>
  files.some(isUnderWay) && (stream === 'refused' ? POLL_MS : RECHECK_MS);
