// Files as the suites need them: in spaces of their own, stored without processing, their bytes sent to signed URLs.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CreatedFile, KilnClient } from './kiln-client.js';

/** The id of no file. */
export const UNKNOWN_FILE = 'file_01h455vb4pex5vsknk084sn02q';

const WAIT_MS = 60_000;

export const newSpace = () => `files-${randomUUID()}`;

/** Uploads a file that is not to be processed; its content is its name unless given. */
export async function storeFile(
  client: KilnClient,
  filename: string,
  fields: Record<string, string> = {},
  content = filename,
): Promise<CreatedFile> {
  const { status, body } = await client.upload(filename, content, { skip_processing: 'true', ...fields });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

export async function putBytes(url: string, content: string): Promise<void> {
  assert.equal((await fetch(url, { method: 'PUT', body: content })).status, 200);
}

/** What `read` answers once `isDone` says so. */
export async function until<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (const end = performance.now() + WAIT_MS; ; await delay(50)) {
    const value = await read();
    if (isDone(value)) return value;
    if (performance.now() > end) assert.fail(`still ${JSON.stringify(value)}`);
  }
}
