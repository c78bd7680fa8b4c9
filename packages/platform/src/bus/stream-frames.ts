// The messages between the two ends of a stream, over core NATS, which delivers in order, but may lose messages.
//
// The service sends numbered frames to the caller's inbox: `open` once it has accepted the call, then `item`s, then `end` with the output or
// `error`. `alive` fills silence. A gap in the numbers shows a lost frame. Each frame names the subject on which the service listens.
// There the caller acknowledges how many bytes of items it has consumed in total, at least once per heartbeat, or cancels. The service
// sends items only while fewer than `WINDOW_BYTES` are not acknowledged, so a slow caller slows the work instead of filling memory.
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';

export const FRAME_HEADER = 'Kiln-Frame';

const kinds = ['open', 'item', 'alive', 'end', 'error'] as const;

export type FrameKind = (typeof kinds)[number];

export interface Frame {
  sequence: number;
  kind: FrameKind;
  message: Msg;
}

/** Items that are sent and not acknowledged. One item may exceed it. */
export const WINDOW_BYTES = 262_144;
/** The other end is sent something at least this often. */
export const HEARTBEAT_MS = 1_000;
/** The other end has died when nothing arrived during this many heartbeats. */
export const QUIET_HEARTBEATS_MAX = 5;

export const CANCEL = 'cancel';
/** The broker replies with this status when nobody listens to a subject. */
export const NO_RESPONDERS = 503;

export function frameHeaders(sequence: number, kind: FrameKind, more: MsgHdrs = headers()): MsgHdrs {
  more.set(FRAME_HEADER, `${sequence} ${kind}`);
  return more;
}

/** Null when the message is no frame. */
export function frameOf(message: Msg): Frame | null {
  const [sequence, kind] = (message.headers?.get(FRAME_HEADER) ?? '').split(' ');
  const known = kinds.find((name) => name === kind);
  return known === undefined ? null : { sequence: Number(sequence), kind: known, message };
}
