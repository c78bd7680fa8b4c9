// The baseline of `kiln up`, as a separate process: registers each file of a folder and sends its bytes to the object store, four at a
// time, with bare fetch. It hashes, compares and prints nothing. argv: base URL, API key, folder, space.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const UPLOADS_AT_ONCE = 4;
const [baseUrl = '', apiKey = '', folder = '', space = ''] = process.argv.slice(2);
const headers = { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' };

const names = (await readdir(folder)).values();
await Promise.all(
  Array.from({ length: UPLOADS_AT_ONCE }, async () => {
    for (const filename of names) {
      const body = JSON.stringify({ filename, space });
      const registered = await fetch(`${baseUrl}/v1/upload`, { method: 'POST', headers, body });
      if (registered.status !== 201) throw new Error(await registered.text());
      const { upload_url: url } = (await registered.json()) as { upload_url: string };
      const stored = await fetch(url, { method: 'PUT', body: await readFile(join(folder, filename)) });
      if (!stored.ok) throw new Error(await stored.text());
      await stored.arrayBuffer();
    }
  }),
);
