import { MESSAGE_HEADER_BYTES, type ChildMessage } from './protocol.js';

/** A message as it travels: four bytes with its length (big endian), then JSON. */
export function frameOf(message: ChildMessage): Buffer {
  const header = Buffer.alloc(MESSAGE_HEADER_BYTES);
  const body = Buffer.from(JSON.stringify(message));
  header.writeUInt32BE(body.length);
  return Buffer.concat([header, body]);
}
