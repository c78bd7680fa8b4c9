// Gives memory back at once. Pieces of a body are garbage as soon as they are copied, yet the garbage collector hears of them
// late: a gigabyte in pieces of 64 KiB costs it some twenty full collections and dozens of megabytes. To transfer a buffer
// takes its memory away from whoever held it, and a message to a closed port is dropped with all it carries:
// https://html.spec.whatwg.org/multipage/web-messaging.html#message-port-post-message-steps
import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** Below, a message costs more than it saves. */
const BYTES_MIN = 16 * 1024;

let closed: MessagePort | undefined;

/** For bytes that nobody reads any more. Buffers that hold other bytes as well are left alone. */
export function releaseMemory(bytes: Buffer): void {
  const { buffer, byteLength } = bytes;
  if (byteLength < BYTES_MIN || byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return;
  closed ??= closedPort();
  closed.postMessage(null, [buffer]);
}

function closedPort(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.close();
  port2.close();
  return port1;
}
