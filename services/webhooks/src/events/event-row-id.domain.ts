// The id of the row of an event for a webhook. It is derived from both, so that a redelivered event finds its row, and the id of the event, which all
// webhooks and streams share, follows from it. It is a UUIDv8 (RFC 9562) that begins with the time of the event. Rows of earlier releases have a
// UUIDv7, which is also the id of their event.
import { createHash } from 'node:crypto';

const VERSION_POSITION = 14;

/** All three are uuids. */
export const rowIdOf = (eventId: string, webhookId: string): string => masked(eventId, webhookId, 8);

export const eventIdOfRow = (rowId: string, webhookId: string): string =>
  rowId[VERSION_POSITION] === '8' ? masked(rowId, webhookId, 7) : rowId;

/** Masks the bits behind the time with a hash of the webhook. Masking twice restores them. */
function masked(uuid: string, webhookId: string, version: 7 | 8): string {
  const mask = createHash('sha256').update(webhookId).digest();
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex').map((byte, at) =>
    at < 6 ? byte : byte ^ (mask[at] ?? 0),
  );
  bytes[6] = (version << 4) | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const text = Buffer.from(bytes).toString('hex');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}
