// The lanes of the queue. The worker decodes small text itself, many files at a time; a document waits for a sandbox. Each lane has its own
// queue of tenants, so that documents never delay small text.
import { isSmallText } from '@kiln/readers/text/small-text';

export const lanes = ['text', 'sandbox'] as const;

export type Lane = (typeof lanes)[number];

/** The lane of a file, by what is known about it once its bytes are stored. */
export function laneOf(file: { content_type: string | null; size_bytes: number | null }): Lane {
  return isSmallText(file.content_type ?? 'application/octet-stream', file.size_bytes) ? 'text' : 'sandbox';
}
