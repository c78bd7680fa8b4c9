// Files for the suites: each in its own space, stored without processing, uploaded to signed URLs.
import { expect } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { randomUUID } from 'node:crypto';
import { bodyOf, type CreatedFile, type KilnClient } from './kiln-client.js';

/** An id without a file. */
export const UNKNOWN_FILE = 'file_01h455vb4pex5vsknk084sn02q';

export const newSpace = () => `files-${randomUUID()}`;

/** Uploads a file without processing. Default content: its name. */
export async function storeFile(
  client: KilnClient,
  filename: string,
  fields: Record<string, string> = {},
  content = filename,
): Promise<CreatedFile> {
  return bodyOf(await client.upload(filename, content, { skip_processing: 'true', ...fields }), 201);
}

export async function putBytes(url: string, content: string): Promise<void> {
  expect((await fetch(url, { method: 'PUT', body: content })).status).toBe(200);
}

/** Returns the result of `read` when `isDone` accepts it. */
export async function until<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  const done = async () => {
    const value = await read();
    if (isDone(value)) return value;
    throw new Error(`still ${JSON.stringify(value)}`);
  };
  return eventually(done, { intervalMs: 50 });
}
