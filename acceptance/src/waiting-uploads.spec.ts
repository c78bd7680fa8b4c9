// One call from a document to its markdown: uploads that wait until the file is processed.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { bodyOf, type Answer, type KilnClient } from './support/kiln-client.js';
import { until } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

interface Processed {
  id: string;
  status: string;
  job_id: string;
  error?: { code: string } | null;
  variants?: { type: string; content: string | null }[];
}

describe('an upload that waits', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  afterAll(() => system.stop());

  const upload = (content: string, query: string, more: { name?: string; headers?: Record<string, string> } = {}) => {
    const body = new FormData();
    body.set('variants', '["markdown"]');
    body.set('file', new Blob([content]), more.name ?? 'a.md');
    return client.request<Processed>('POST', `/v1/upload${query}`, { body, headers: more.headers ?? {} });
  };
  /** The file at the end of its job. A busy machine may need longer than a request waits, which is then repeated with its key. */
  const atEnd = (send: (headers: Record<string, string>) => Promise<Answer<Processed>>, key: string = randomUUID()) =>
    until(
      async () => bodyOf(await send({ 'idempotency-key': key }), 201),
      ({ status }) => status === 'completed' || status === 'failed',
    );
  const markdownOf = ({ variants }: Processed) => variants?.map(({ type, content }) => [type, content]);

  it('is answered with the markdown', async () => {
    const file = await atEnd((headers) => upload('# Clay\n\nIt is fired.\n', '?wait=60', { headers }));
    expect([file.status, file.error]).toStrictEqual(['completed', null]);
    expect(markdownOf(file)).toStrictEqual([['markdown', '# Clay\n\nIt is fired.\n']]);
  });

  it('of a text does the same', async () => {
    const json = { filename: 'a.md', content: '# Brick\n', variants: ['markdown'] };
    const file = await atEnd((headers) => client.request('POST', '/v1/files?wait=60', { json, headers }));
    expect(markdownOf(file)).toStrictEqual([['markdown', '# Brick\n']]);
  });

  it('of a damaged file is answered with the error of its job', async () => {
    const file = await atEnd((headers) => upload('%PDF-1.7 and no more', '?wait=60', { name: 'a.pdf', headers }));
    expect([file.status, file.error?.code, file.variants]).toStrictEqual(['failed', 'corrupt_file', []]);
  });

  it('that is repeated with its Idempotency-Key makes no second file, and waits again', async () => {
    const key = randomUUID();
    const first = bodyOf(await upload('# Tile\n', '?wait=0', { headers: { 'idempotency-key': key } }), 201);
    const second = await atEnd((headers) => upload('# Tile\n', '?wait=60', { headers }), key);
    expect(first).not.toHaveProperty('variants');
    expect([second.id, second.status, markdownOf(second)]).toStrictEqual([
      first.id,
      'completed',
      [['markdown', '# Tile\n']],
    ]);
  });

  it('without its bytes is answered at once', async () => {
    const json = { filename: 'a.md' };
    const file = bodyOf(await client.request<Processed>('POST', '/v1/upload?wait=60', { json }), 201);
    expect(file.status).toBe('uploading');
  });

  it('needs the scope to read files, before it sends bytes and when it is repeated', async () => {
    const scopes = ['files:write'];
    const made = bodyOf(await client.post<{ key: string }>('/v1/org/api-keys', { name: 'writer', scopes }), 201);
    const headers = { authorization: `ApiKey ${made.key}` };
    expect((await upload('# No', '?wait=1', { headers })).status).toBe(403);
    const keyed = { headers: { ...headers, 'idempotency-key': randomUUID() } };
    bodyOf(await upload('# Yes', '?wait=0', keyed), 201);
    expect((await upload('# Yes', '?wait=1', keyed)).status).toBe(403);
    expect((await upload('# No', '?wait=61')).status).toBe(400);
  });
});
