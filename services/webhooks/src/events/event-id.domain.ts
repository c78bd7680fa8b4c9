// The id of an event for a webhook is derived from both, so that a redelivered event finds its row. It is a UUIDv7
// (RFC 9562) of the time of the event; a hash replaces the random bits.
import type { CloudEvent } from '@kiln/contracts';
import { createHash } from 'node:crypto';

export function eventIdOf({ id, time }: Pick<CloudEvent, 'id' | 'time'>, webhookId: string): string {
  const moment = Date.parse(time).toString(16).padStart(12, '0');
  const hash = createHash('sha256').update(`${id} ${webhookId}`).digest();
  hash[0] = 0x70 | ((hash[0] ?? 0) & 0x0f);
  hash[2] = 0x80 | ((hash[2] ?? 0) & 0x3f);
  const rest = hash.toString('hex', 0, 10);
  return `${moment.slice(0, 8)}-${moment.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8)}`;
}
