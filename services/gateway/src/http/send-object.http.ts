// Sends an object of the store as fast as the caller reads. If it breaks off, the connection ends before the announced length.
import type { ObjectBody } from '@kiln/storage';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** A caller that reads more slowly would hold a connection to the store. */
const SEND_MS = 60_000;

export async function sendObject(
  response: ServerResponse,
  { body, sizeBytes, contentType }: Pick<ObjectBody, 'body' | 'sizeBytes' | 'contentType'>,
  { headers = {}, sendMs = SEND_MS }: { headers?: Record<string, string> | undefined; sendMs?: number } = {},
): Promise<void> {
  response.writeHead(200, { ...headers, 'Content-Type': contentType, 'Content-Length': sizeBytes });
  try {
    await pipeline(body, response, { signal: AbortSignal.timeout(sendMs) });
  } catch {
    // The status was sent. `pipeline` has destroyed both streams.
  }
}
