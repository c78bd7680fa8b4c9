// What the two ends of a stream send each other over core NATS, which may lose messages.
//
// The service replies `open` once it has accepted the call, from a control subject of the stream. There the caller asks for each part:
// an `item`, then `end` with the output, or `error`. So a slow caller slows the work instead of filling memory, and a lost message is
// silence. While the caller waits, `alive` replies fill silence; then it asks again. At each heartbeat the caller shows that it lives.
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';

const PART_HEADER = 'Kiln-Part';

export type PartKind = 'open' | 'item' | 'alive' | 'end' | 'error';

/** The other end is sent something at least this often. */
export const HEARTBEAT_MS = 1_000;
/** The other end has died when nothing arrived during this many heartbeats. */
export const QUIET_HEARTBEATS_MAX = 5;

/** What the caller sends. */
export const NEXT = 'next';
export const ALIVE = 'alive';
export const CANCEL = 'cancel';

export function partHeaders(kind: PartKind, more: MsgHdrs = headers()): MsgHdrs {
  more.set(PART_HEADER, kind);
  return more;
}

export const kindOf = (message: Msg): string | undefined => message.headers?.get(PART_HEADER);

/** Like `work`, but throws the reason of an abort at once. */
export async function orAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let onAbort = () => undefined as void;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
