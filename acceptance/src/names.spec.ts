// Hostile and international filenames and metadata: stored unchanged, and harmless everywhere.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';
import { bodyOf } from './support/kiln-client.js';

const KEPT = [
  `quote".txt; filename=evil.exe`,
  `apo'strophe & <script>alert(1)</script>.txt`.replace('/', '\u2044'),
  'invoice\u202Efdp.exe',
  '😀 отчёт 報告書.txt',
  '..%2F..%2Fetc%2Fpasswd',
  '%0d%0aSet-Cookie: a=b',
  "'; drop table files; --",
  '${jndi:ldap:x}',
  `${'x'.repeat(251)}.txt`,
  '...hidden',
];
const REFUSED = ['', '.', '..', 'a/b', 'a\\b', 'a\r\nb', 'a\u0000b', 'a\u2028b', `${'x'.repeat(252)}.txt`];

/** Without bidirectional controls, and short enough for file systems. */
const offered = (filename: string) => filename.replace('\u202E', '').replace(/^(x{196})x*\.txt$/, '$1.txt');

describe('filenames and metadata', () => {
  let kiln: SystemUnderTest;
  beforeAll(async () => {
    kiln = await systemUnderTest();
  });
  afterAll(() => kiln.stop());

  it('are returned unchanged in every response; the suggested download name is sanitized', async () => {
    const { client } = kiln;
    const space = `names-${Date.now()}`;
    for (const filename of KEPT) {
      const metadata = JSON.stringify({ [filename.slice(0, 20)]: filename });
      const body = bodyOf(await client.upload('x', 'the bytes', { filename, space, metadata }), 201);
      expect([body.filename, body.storage_key]).toStrictEqual([filename, `${space}/${body.id}/${filename}`]);
      const file = await client.get<{ filename: string; metadata: Record<string, string> }>(`/v1/files/${body.id}`);
      expect(file.body.filename).toBe(filename);
      expect(Object.values(file.body.metadata)).toStrictEqual([filename]);
      const { body: download } = await client.get<{ url: string }>(`/v1/files/${body.id}/download`);
      const disposition = (await fetch(download.url)).headers.get('content-disposition') ?? '';
      const encoded = /filename\*=UTF-8''([\w.%~!#$&+^`|-]*)$/.exec(disposition)?.[1];
      if (encoded === undefined) throw new Error(disposition);
      expect(decodeURIComponent(encoded)).toBe(offered(filename));
      expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]*"; /);
    }
    const { body } = await client.get<{ files: { filename: string }[] }>(`/v1/files?space=${space}&limit=200`);
    expect(body.files.map(({ filename }) => filename).toSorted(compare)).toStrictEqual(KEPT.toSorted(compare));
  });

  it.each(REFUSED)(
    'are rejected if they are paths, contain control characters or are too long: %j',
    async (filename) => {
      const { error } = bodyOf(await kiln.client.post<{ error: string }>('/v1/upload', { filename }), 400);
      expect(error).toMatch(/^filename /);
    },
  );
});

const compare = (left: string, right: string) => (left < right ? -1 : 1);
