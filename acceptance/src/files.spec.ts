// Lists, downloads, variants and spaces, as callers see them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { turnedPng, webpSize } from './support/documents.js';
import { bodyOf, type CreatedFile, type KilnClient } from './support/kiln-client.js';
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
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  afterAll(() => system.stop());

  const list = async (query: Record<string, string>) =>
    client.get<Page & Fault>(`/v1/files?${new URLSearchParams(query)}`);
  const names = async (query: Record<string, string>) => (await list(query)).body.files.map(({ filename }) => filename);

  describe('the list', () => {
    it('is sorted by each key in both directions, and filtered by status, space and metadata combined', async () => {
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
        expect(await names({ space, sort_by, sort_order: 'asc' })).toStrictEqual(expected);
        expect(await names({ space, sort_by })).toStrictEqual(expected.toReversed());
      }
      expect(await names({ space, 'metadata.team': 'y', 'metadata.all': '1' })).toStrictEqual(['C.txt', 'b.txt']);
      expect(await names({ space, 'metadata.team': 'y', 'metadata.all': '2' })).toStrictEqual([]);
      expect(await names({ space, status: 'uploaded' })).toHaveLength(3);
      expect(await names({ space, status: 'failed' })).toStrictEqual([]);
    });

    it('contains files with any metadata, which each file returns', async () => {
      const space = newSpace();
      const metadata = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`key-${at}`, 'x'.repeat(1_000)]));
      for (let at = 0; at < 60; at++) {
        const { status } = await client.post('/v1/upload', {
          filename: `${at}.md`,
          space,
          skip_processing: true,
          metadata,
        });
        expect(status).toBe(201);
      }
      const { status, body } = await list({ space });
      expect([status, body.files.length]).toStrictEqual([200, 50]);
      const [first] = body.files;
      expect(first).not.toHaveProperty('metadata');
      const file = await client.get<{ metadata: object }>(`/v1/files/${first?.id}`);
      expect(file.body.metadata).toStrictEqual(metadata);
      expect((await list({ space, limit: '200', 'metadata.key-1': 'x'.repeat(1_000) })).body.files).toHaveLength(60);
    });

    it('returns each remaining file exactly once while others are created and deleted between pages', async () => {
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
      expect(originals).toStrictEqual(['0.txt', '1.txt', '2.txt', '3.txt', '4.txt', '5.txt']);
      expect(new Set(seen).size).toBe(seen.length);
    });

    it('rejects a cursor of other filters, another order or another list, and names invalid parameters', async () => {
      const space = newSpace();
      await storeFile(client, 'a.txt', { space });
      await storeFile(client, 'b.txt', { space });
      const cursor = (await list({ space, limit: '1' })).body.next_cursor ?? '';
      expect((await list({ space, limit: '1', cursor })).status).toBe(200);
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
        const { code, error } = bodyOf(await list(query), 400);
        expect(code).toBe('BAD_REQUEST');
        expect(error).toMatch(new RegExp(Object.keys(query).join('|')));
      }
      expect((await client.get(`/v1/spaces?cursor=${cursor}`)).status).toBe(400);
    });

    it('finds part of a name in any case and script, and words of the content as soon as the job is completed', async () => {
      const space = newSpace();
      const word = `wombat${randomUUID().replaceAll(/[^a-f]/g, '')}q`;
      const text = `# Title\n\nThe ${word} swims at night.\n\n${'It sleeps by day. '.repeat(100)}\n\nTwo e-mails mention it.`;
      const { body } = await client.upload('Jahres-ÜBERSICHT 2026.md', text, { space });
      await storeFile(client, 'other.txt', { space });
      const unindexed = await client.upload('unindexed.md', text, { space, variants: '["markdown"]' });
      for (const { job_id: jobId } of [body, unindexed.body])
        expect((await client.waitForJob(jobId)).status).toBe('completed');
      const finding = (searches: string[]) =>
        Promise.all(searches.map(async (search) => ({ search, found: await names({ space, search }) })));
      const byName = ['übersicht', 'S-Ü', '26', 'j', '2026.md'];
      const byContent = [word.toUpperCase(), `nights ${word}`, `the ${word} email`, `"${word}" -mentioned`];
      const matching = [...byName, ...byContent];
      const found = ['Jahres-ÜBERSICHT 2026.md'];
      expect(await finding(matching)).toStrictEqual(matching.map((search) => ({ search, found })));
      const others = ['wombat', `${word} zebra`, 'uebersicht', '%', '_'];
      expect(await finding(others)).toStrictEqual(others.map((search) => ({ search, found: [] })));
      expect(await names({ space, search: '' })).toHaveLength(3);
      await client.request('DELETE', `/v1/files/${body.id}`);
      expect(await finding([word, 'übersicht'])).toStrictEqual(
        [word, 'übersicht'].map((search) => ({ search, found: [] })),
      );
    });
  });

  describe('reading', () => {
    it('a download returns the bytes under their name, even a hostile one, for an hour', async () => {
      const filename = '"; filename=evil.exe; x="ü\u202e.txt';
      const file = await storeFile(client, filename, {}, 'the bytes');
      const { status, body } = await client.get<{ url: string; expires_in: number }>(`/v1/files/${file.id}/download`);
      expect([status, body.expires_in]).toStrictEqual([200, 3600]);
      const response = await fetch(body.url);
      expect(await response.text()).toBe('the bytes');
      const disposition = response.headers.get('content-disposition') ?? '';
      expect(disposition).toMatch(/^attachment; filename="[^"\\]*"; filename\*=UTF-8''[\w.%~!#$&+^`|-]*$/);
      for (const id of [UNKNOWN_FILE, 'nonsense'])
        expect((await client.get(`/v1/files/${id}/download`)).status).toBe(404);
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
      expect(status).toBe(200);
      expect(await (await fetch(download.url)).text()).toBe('mine.txt');
      expect((await ask(other.id)).status).toBe(404);
      expect((await ask(UNKNOWN_FILE)).status).toBe(404);
    });

    it('variants contain their content up to 1 MiB, and always a URL to it', async () => {
      const { body: small } = await client.upload('small.md', '# Small', { variants: '["markdown","metadata"]' });
      const { body: large } = await client.upload('large.md', 'word '.repeat(250_000), { variants: '["markdown"]' });
      type Variant = { type: string; file_id: string; content: string | null; content_url: string; size_bytes: number };
      const read = async (file: CreatedFile) => {
        expect((await client.waitForJob(file.job_id)).status).toBe('completed');
        return (await client.get<{ variants: Variant[] }>(`/v1/files/${file.id}/variants`)).body.variants;
      };
      const [markdown, metadata] = await read(small);
      expect([markdown?.type, metadata?.type]).toStrictEqual(['markdown', 'metadata']);
      expect(markdown?.content ?? '').toMatch(/^# Small/);
      const [big] = await read(large);
      expect(big?.size_bytes ?? 0).toBeGreaterThan(1_048_576);
      expect(big?.content).toBeNull();
      for (const variant of [markdown, big]) {
        const text = await (await fetch(variant?.content_url ?? '')).text();
        expect(Buffer.byteLength(text)).toBe(variant?.size_bytes);
      }
      const single = await client.get<Variant>(`/v1/files/${small.id}/variants/markdown`);
      expect([single.status, single.body.content]).toStrictEqual([200, markdown?.content]);
      for (const path of [
        `${small.id}/variants/thumbnails`,
        `${small.id}/variants/nonsense`,
        `${UNKNOWN_FILE}/variants`,
      ]) {
        bodyOf(await client.get(`/v1/files/${path}`), 404);
      }
    });
  });

  describe('thumbnails', () => {
    type Variant = { type: string; content: string; content_type: string; content_url: string; size_bytes: number };
    const thumbnailsOf = async (filename: string, content: Buffer | string) => {
      const { body: file } = await client.upload(filename, content, { variants: '["thumbnails"]' });
      const job = await client.waitForJob(file.job_id);
      return { job, ...(await client.get<{ variants: Variant[] }>(`/v1/files/${file.id}/variants`)).body };
    };

    it('of an image are an upright WebP image of 512 pixels, inline and by URL', async () => {
      const { job, variants } = await thumbnailsOf('photo.png', turnedPng);
      expect([job.status, job.provider]).toStrictEqual(['completed', 'image_extractor']);
      expect(variants.map(({ type, content_type }) => [type, content_type])).toStrictEqual([
        ['thumbnails', 'image/webp'],
      ]);
      const [{ content, content_url, size_bytes } = {} as Variant] = variants;
      const [prefix, base64 = ''] = content.split(',');
      expect(prefix).toBe('data:image/webp;base64');
      const image = Buffer.from(base64, 'base64');
      expect([image.length, webpSize(image)]).toStrictEqual([size_bytes, [256, 512]]);
      const response = await fetch(content_url);
      expect(response.headers.get('content-type')).toBe('image/webp');
      expect(Buffer.from(await response.arrayBuffer()).equals(image)).toBe(true);
    });

    it('of a text are skipped, and its job completes', async () => {
      const { job, variants } = await thumbnailsOf('notes.txt', 'Clay.');
      expect([job.status, variants]).toStrictEqual(['completed', []]);
    });
  });

  describe('spaces', () => {
    it('are listed with current counts of their files by status', async () => {
      const space = newSpace();
      expect((await client.get(`/v1/spaces/${space}/stats`)).status).toBe(404);
      await storeFile(client, 'a.txt', { space }, '12345');
      await client.post('/v1/upload', { filename: 'b.txt', space });
      const stats = async () => (await client.get(`/v1/spaces/${space}/stats`)).body;
      const expected = { uploading: 1, uploaded: 1, processing: 0, completed: 0, failed: 0 };
      expect(await stats()).toStrictEqual({ space, total_files: 2, total_size_bytes: 5, status_counts: expected });
      const { body } = await client.upload('c.md', '# C', { space });
      await client.waitForJob(body.job_id);
      expect(await stats()).toStrictEqual({
        space,
        total_files: 3,
        total_size_bytes: 8,
        status_counts: { ...expected, completed: 1 },
      });
      const listed = (await client.get<{ spaces: { space: string; file_count: number }[] }>('/v1/spaces')).body.spaces;
      expect(listed.find((item) => item.space === space)).toStrictEqual({ space, file_count: 3 });
      expect((await client.get('/v1/spaces/a%20b/stats')).status).toBe(404);
    });

    it('are paged by name on request', async () => {
      for (let at = 0; at < 3; at++) await storeFile(client, 'a.txt', { space: newSpace() });
      type Spaces = { spaces: { space: string }[]; next_cursor: string | null };
      const first = await client.get<Spaces>('/v1/spaces?limit=1');
      expect(first.body.spaces).toHaveLength(1);
      const second = await client.get<Spaces>(`/v1/spaces?limit=1&cursor=${first.body.next_cursor}`);
      const shown = [...first.body.spaces, ...second.body.spaces].map(({ space }) => space);
      expect(shown).toHaveLength(2);
      expect(shown.toSorted()).toStrictEqual(shown);
      expect(new Set(shown).size).toBe(2);
      for (const query of ['limit=0', 'limit=201', 'cursor=x'])
        expect((await client.get(`/v1/spaces?${query}`)).status).toBe(400);
    });
  });
});
