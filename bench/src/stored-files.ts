// Uploads files to a running Kiln, and waits until they are processed.
import { setTimeout as delay } from 'node:timers/promises';

export interface Account {
  baseUrl: string;
  apiKey: string;
}

export type StoredFile = { filename: string } & ({ text: string } | { bytes: Uint8Array });

const UPLOADS_AT_ONCE = 8;
const POLL_MS = 200;

/** Returns the ids of the files, in their order. */
export async function storeFiles({ baseUrl, apiKey }: Account, files: readonly StoredFile[]): Promise<string[]> {
  const headers = { authorization: `ApiKey ${apiKey}` };
  const ids: string[] = [];
  const queue = files.entries();
  const upload = async () => {
    for (const [at, { filename, ...content }] of queue) {
      const form = new FormData();
      form.append('file', new Blob(['text' in content ? content.text : new Uint8Array(content.bytes)]), filename);
      const response = await fetch(`${baseUrl}/v1/upload`, { method: 'POST', headers, body: form });
      if (response.status !== 201) throw new Error(await response.text());
      ids[at] = ((await response.json()) as { id: string }).id;
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, upload));
  const countOf = async (status: string) => {
    const response = await fetch(`${baseUrl}/v1/jobs?status=${status}&limit=1`, { headers });
    return ((await response.json()) as { jobs: unknown[] }).jobs.length;
  };
  for (;;) {
    const [completed, ...open] = await Promise.all(['completed', 'queued', 'processing'].map(countOf));
    if (completed === 1 && open.every((count) => count === 0)) return ids;
    await delay(POLL_MS);
  }
}
