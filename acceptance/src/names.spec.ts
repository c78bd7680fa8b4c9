// Filenames and metadata of people who mean harm, or just write another language: kept as given and harmless everywhere.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

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

/** Without what reorders text on the screen, and no longer than file systems take. */
const offered = (filename: string) => filename.replace('\u202E', '').replace(/^(x{196})x*\.txt$/, '$1.txt');

describe('filenames and metadata', () => {
  let kiln: SystemUnderTest;
  before(async () => {
    kiln = await systemUnderTest();
  });
  after(() => kiln.stop());

  it('come back exactly as they were given in every answer; the name offered for saving is made harmless', async () => {
    const { client } = kiln;
    const space = `names-${Date.now()}`;
    for (const filename of KEPT) {
      const { status, body } = await client.upload('x', 'the bytes', {
        filename,
        space,
        metadata: JSON.stringify({ [filename.slice(0, 20)]: filename }),
      });
      assert.equal(status, 201, filename);
      assert.deepEqual([body.filename, body.storage_key], [filename, `${space}/${body.id}/${filename}`]);
      const file = await client.get<{ filename: string; metadata: Record<string, string> }>(`/v1/files/${body.id}`);
      assert.equal(file.body.filename, filename);
      assert.deepEqual(Object.values(file.body.metadata), [filename]);
      const { body: download } = await client.get<{ url: string }>(`/v1/files/${body.id}/download`);
      const disposition = (await fetch(download.url)).headers.get('content-disposition') ?? '';
      const encoded = /filename\*=UTF-8''([\w.%~!#$&+^`|-]*)$/.exec(disposition)?.[1];
      assert.ok(encoded !== undefined, disposition);
      assert.equal(decodeURIComponent(encoded), offered(filename));
      assert.match(disposition, /^attachment; filename="[\x20-\x7e]*"; /);
    }
    const { body } = await client.get<{ files: { filename: string }[] }>(`/v1/files?space=${space}&limit=200`);
    assert.deepEqual(body.files.map(({ filename }) => filename).toSorted(compare), KEPT.toSorted(compare));
  });

  it('that are paths, hold control characters or are too long are refused', async () => {
    for (const filename of REFUSED) {
      const { status, body } = await kiln.client.post<{ error: string }>('/v1/upload', { filename });
      assert.equal(status, 400, JSON.stringify(filename));
      assert.match(body.error, /^filename: /);
    }
  });
});

const compare = (left: string, right: string) => (left < right ? -1 : 1);
