// Lists, downloads, variants and spaces, as a caller meets them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { CreatedFile, KilnClient } from './support/kiln-client.js';
import { newSpace, storeFile, UNKNOWN_FILE } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

interface Page {
  files: CreatedFile[];
  next_cursor: string | null;
}
type Fault = { error: string; code: string };

describe('files', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  before(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  after(() => system.stop());

  const list = async (query: Record<string, string>) =>
    client.get<Page & Fault>(`/v1/files?${new URLSearchParams(query)}`);
  const names = async (query: Record<string, string>) => (await list(query)).body.files.map(({ filename }) => filename);

  describe('the list', () => {
    it('is ordered by each key both ways, and filtered by status, space and metadata together', async () => {
      const space = newSpace();
      const sizes = { 'b.txt': 'four', 'a.txt': 'three', 'C.txt': 'fifteen' };
      for (const [name, content] of Object.entries(sizes)) {
        await storeFile(
          client,
          name,
          { space, metadata: JSON.stringify({ team: name === 'a.txt' ? 'x' : 'y', all: '1' }) },
          content,
        );
      }
      const orders: [sort: string, expected: string[]][] = [
        ['filename', ['C.txt', 'a.txt', 'b.txt']],
        ['size_bytes', ['b.txt', 'a.txt', 'C.txt']],
        ['created_at', ['b.txt', 'a.txt', 'C.txt']],
        ['updated_at', ['b.txt', 'a.txt', 'C.txt']],
      ];
      for (const [sort_by, expected] of orders) {
        assert.deepEqual(await names({ space, sort_by, sort_order: 'asc' }), expected);
        assert.deepEqual(await names({ space, sort_by }), expected.toReversed());
      }
      assert.deepEqual(await names({ space, 'metadata.team': 'y', 'metadata.all': '1' }), ['C.txt', 'b.txt']);
      assert.deepEqual(await names({ space, 'metadata.team': 'y', 'metadata.all': '2' }), []);
      assert.equal((await names({ space, status: 'uploaded' })).length, 3);
      assert.deepEqual(await names({ space, status: 'failed' }), []);
    });

    it('shows files whatever metadata they have: each file tells its own', async () => {
      const space = newSpace();
      const metadata = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`key-${at}`, 'x'.repeat(1_000)]));
      for (let at = 0; at < 60; at++) {
        const { status } = await client.post('/v1/upload', {
          filename: `${at}.md`,
          space,
          skip_processing: true,
          metadata,
        });
        assert.equal(status, 201);
      }
      const { status, body } = await list({ space });
      assert.deepEqual([status, body.files.length], [200, 50]);
      const [first] = body.files;
      assert.ok(first && !('metadata' in first));
      const file = await client.get<{ metadata: object }>(`/v1/files/${first.id}`);
      assert.deepEqual(file.body.metadata, metadata);
      assert.equal((await list({ space, limit: '200', 'metadata.key-1': 'x'.repeat(1_000) })).body.files.length, 60);
    });

    it('shows each file that stays exactly once while others come and go between its pages', async () => {
      const space = newSpace();
      for (let at = 0; at < 6; at++) await storeFile(client, `${at}.txt`, { space });
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body }: { body: Page } = await list({
          space,
          limit: '2',
          sort_by: 'filename',
          sort_order: 'asc',
          ...(cursor && { cursor }),
        });
        seen.push(...body.files.map(({ filename }) => filename));
        await storeFile(client, `${seen.length}-new.txt`, { space });
        cursor = body.next_cursor;
      }
      const originals = seen.filter((name) => !name.includes('new'));
      assert.deepEqual(originals, ['0.txt', '1.txt', '2.txt', '3.txt', '4.txt', '5.txt']);
      assert.equal(new Set(seen).size, seen.length);
    });

    it('refuses a cursor of other filters, another order or another list, and bad parameters by name', async () => {
      const space = newSpace();
      await storeFile(client, 'a.txt', { space });
      await storeFile(client, 'b.txt', { space });
      const cursor = (await list({ space, limit: '1' })).body.next_cursor ?? '';
      assert.equal((await list({ space, limit: '1', cursor })).status, 200);
      const bad: Record<string, string>[] = [
        { cursor },
        { space, cursor, status: 'uploaded' },
        { space, cursor, search: 'a' },
        { space, cursor, sort_by: 'filename' },
        { space, cursor, sort_order: 'asc' },
        { cursor: 'x' },
        { limit: '0' },
        { limit: '201' },
        { limit: 'ten' },
        { status: 'done' },
        { sort_by: 'id' },
        { sort_order: 'up' },
        { space: 'a b' },
      ];
      for (const query of bad) {
        const { status, body } = await list(query);
        assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], JSON.stringify(query));
        assert.match(body.error, new RegExp(Object.keys(query).join('|')));
      }
      assert.equal((await client.get(`/v1/spaces?cursor=${cursor}`)).status, 400);
    });

    it('finds part of a name in any case and script, and words of the content the moment the job is completed', async () => {
      const space = newSpace();
      const word = `wombat${randomUUID().slice(0, 8)}`;
      const { body } = await client.upload('Jahres-ÜBERSICHT 2026.md', `# Title\n\nThe ${word} swims at night.`, {
        space,
      });
      await storeFile(client, 'other.txt', { space });
      assert.equal((await client.waitForJob(body.job_id)).status, 'completed');
      for (const search of ['übersicht', 'S-Ü', '26', 'j', word.toUpperCase(), `night ${word}`, '2026.md']) {
        assert.deepEqual(await names({ space, search }), ['Jahres-ÜBERSICHT 2026.md'], search);
      }
      for (const search of ['wombat', `${word} zebra`, 'uebersicht', '%', '_'])
        assert.deepEqual(await names({ space, search }), [], search);
      assert.equal((await names({ space, search: '' })).length, 2);
    });
  });

  describe('reading', () => {
    it('a download gives the bytes under their name, however hostile, for an hour', async () => {
      const filename = '"; filename=evil.exe; x="ü\u202e.txt';
      const file = await storeFile(client, filename, {}, 'the bytes');
      const { status, body } = await client.get<{ url: string; expires_in: number }>(`/v1/files/${file.id}/download`);
      assert.deepEqual([status, body.expires_in], [200, 3600]);
      const response = await fetch(body.url);
      assert.equal(await response.text(), 'the bytes');
      const disposition = response.headers.get('content-disposition') ?? '';
      assert.match(disposition, /^attachment; filename="[^"\\]*"; filename\*=UTF-8''[\w.%~!#$&+^`|-]*$/);
      for (const id of [UNKNOWN_FILE, 'nonsense'])
        assert.equal((await client.get(`/v1/files/${id}/download`)).status, 404);
    });

    it('a portal token downloads from its space only', async () => {
      const space = newSpace();
      const [mine, other] = [
        await storeFile(client, 'mine.txt', { space }),
        await storeFile(client, 'other.txt', { space: newSpace() }),
      ];
      const { body } = await client.post<{ token: string }>('/v1/portal/tokens', { space });
      const headers = { authorization: `PortalToken ${body.token}` };
      const ask = (id: string) =>
        client.request<{ url: string }>('GET', `/v1/portal/files/${id}/download`, { headers });
      const { status, body: download } = await ask(mine.id);
      assert.equal(status, 200);
      assert.equal(await (await fetch(download.url)).text(), 'mine.txt');
      assert.equal((await ask(other.id)).status, 404);
      assert.equal((await ask(UNKNOWN_FILE)).status, 404);
    });

    it('variants hold their content up to 1 MiB and a URL to it always', async () => {
      const { body: small } = await client.upload('small.md', '# Small', { variants: '["markdown","metadata"]' });
      const { body: large } = await client.upload('large.md', 'word '.repeat(250_000), { variants: '["markdown"]' });
      type Variant = { type: string; file_id: string; content: string | null; content_url: string; size_bytes: number };
      const read = async (file: CreatedFile) => {
        assert.equal((await client.waitForJob(file.job_id)).status, 'completed');
        return (await client.get<{ variants: Variant[] }>(`/v1/files/${file.id}/variants`)).body.variants;
      };
      const [markdown, metadata] = await read(small);
      assert.deepEqual([markdown?.type, metadata?.type], ['markdown', 'metadata']);
      assert.match(markdown?.content ?? '', /^# Small/);
      const [big] = await read(large);
      assert.ok((big?.size_bytes ?? 0) > 1_048_576);
      assert.equal(big?.content, null);
      for (const variant of [markdown, big]) {
        const text = await (await fetch(variant?.content_url ?? '')).text();
        assert.equal(Buffer.byteLength(text), variant?.size_bytes);
      }
      const single = await client.get<Variant>(`/v1/files/${small.id}/variants/markdown`);
      assert.deepEqual([single.status, single.body.content], [200, markdown?.content]);
      for (const path of [
        `${small.id}/variants/thumbnails`,
        `${small.id}/variants/nonsense`,
        `${UNKNOWN_FILE}/variants`,
      ]) {
        assert.equal((await client.get(`/v1/files/${path}`)).status, 404, path);
      }
    });
  });

  describe('spaces', () => {
    it('are listed with their files and count them by status, at once', async () => {
      const space = newSpace();
      assert.equal((await client.get(`/v1/spaces/${space}/stats`)).status, 404);
      await storeFile(client, 'a.txt', { space }, '12345');
      await client.post('/v1/upload', { filename: 'b.txt', space });
      const stats = async () => (await client.get(`/v1/spaces/${space}/stats`)).body;
      const expected = { uploading: 1, uploaded: 1, processing: 0, completed: 0, failed: 0 };
      assert.deepEqual(await stats(), { space, total_files: 2, total_size_bytes: 5, status_counts: expected });
      const { body } = await client.upload('c.md', '# C', { space });
      await client.waitForJob(body.job_id);
      assert.deepEqual(await stats(), {
        space,
        total_files: 3,
        total_size_bytes: 8,
        status_counts: { ...expected, completed: 1 },
      });
      const listed = (await client.get<{ spaces: { space: string; file_count: number }[] }>('/v1/spaces')).body.spaces;
      assert.deepEqual(
        listed.find((item) => item.space === space),
        { space, file_count: 3 },
      );
      assert.equal((await client.get('/v1/spaces/a%20b/stats')).status, 404);
    });

    it('are paged by name for whoever asks for it', async () => {
      for (let at = 0; at < 3; at++) await storeFile(client, 'a.txt', { space: newSpace() });
      type Spaces = { spaces: { space: string }[]; next_cursor: string | null };
      const first = await client.get<Spaces>('/v1/spaces?limit=1');
      assert.equal(first.body.spaces.length, 1);
      const second = await client.get<Spaces>(`/v1/spaces?limit=1&cursor=${first.body.next_cursor}`);
      assert.ok((second.body.spaces[0]?.space ?? '') > (first.body.spaces[0]?.space ?? '?'));
      for (const query of ['limit=0', 'limit=201', 'cursor=x'])
        assert.equal((await client.get(`/v1/spaces?${query}`)).status, 400);
    });
  });
});
