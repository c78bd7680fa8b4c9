// Releases memory at once. The garbage collector frees pieces of a body late: a gigabyte in pieces of 64 KiB costs about twenty full
// collections and tens of megabytes. Transferring a buffer detaches its memory, and a message to a closed port is dropped together with
// what it transfers:
// https://html.spec.whatwg.org/multipage/web-messaging.html#message-port-post-message-steps
import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** For smaller buffers, the message costs more than it saves. */
const BYTES_MIN = 16 * 1024;

let closed: MessagePort | undefined;

/** For bytes that nothing reads any more. Slices of a larger buffer are left to the garbage collector. */
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
