import type { UploadProgress } from './upload-options.js';

/** Passes the bytes on, and reports how many there were. */
export function countedStream(
  stream: ReadableStream<Uint8Array>,
  totalBytes: number | null,
  onProgress: ((progress: UploadProgress) => void) | undefined,
): ReadableStream<Uint8Array> {
  if (!onProgress) return stream;
  let sentBytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sentBytes += chunk.byteLength;
      onProgress({ sentBytes, totalBytes });
      controller.enqueue(chunk);
    },
  });
  return stream.pipeThrough(counter);
}
