// What the relay sends for a row that it has claimed.
import type { CloudEvent } from '@kiln/contracts';
import { eventSubject } from '../bus/names.js';
import { envelopesOf } from './event-batch.js';
import type { ClaimedRow } from './relay.statements.js';
import type { StreamMessage } from './stream-publisher.js';

type Head = Pick<CloudEvent, 'id' | 'type'>;

/** Of a row of `outbox` one, of a row of `outbox_batches` one for each event. */
export function messagesOf(namespace: string, row: ClaimedRow): StreamMessage[] {
  return envelopesOf(row).map((envelope) => messageOf(namespace, row.id === null ? headOf(envelope) : row, envelope));
}

function messageOf(namespace: string, { id, type }: Head, payload: string): StreamMessage {
  return { subject: eventSubject(namespace, type), id, payload };
}

/** How `envelopeOf` begins. */
const HEAD = /^\{"specversion":"1\.0","id":"([^"\\]+)","source":"[^"\\]*","type":"([^"\\]+)"/;

/** To parse the whole of each envelope takes ten times as long as to read its begin. */
function headOf(envelope: string): Head {
  const [, id, type] = HEAD.exec(envelope) ?? [];
  return id && type ? { id, type } : (JSON.parse(envelope) as CloudEvent);
}
