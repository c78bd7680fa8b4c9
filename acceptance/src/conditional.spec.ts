// Variants that callers have already, and links to next pages.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, type Answer, type KilnClient } from './support/kiln-client.js';
import { newSpace } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

describe('a variant', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  const space = newSpace();
  let fileId: string;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
    const file = bodyOf(await client.upload('a.md', '# Clay', { space, variants: '["markdown"]' }), 201);
    expect((await client.waitForJob(file.job_id)).status).toBe('completed');
    fileId = file.id;
  });
  afterAll(() => system.stop());

  const get = (path: string, headers: Record<string, string> = {}) => client.request('GET', path, { headers });
  const paths = () => [`/v1/files/${fileId}/variants`, `/v1/files/${fileId}/variants/markdown`];

  it('that the caller has is not sent again, and is sent when the file was processed again', async () => {
    for (const path of paths()) {
      const first = await get(path);
      const tag = first.headers.get('etag') ?? '';
      expect([first.status, tag]).toStrictEqual([200, expect.stringMatching(/^W\/".{22}"$/)]);
      const again = await get(path, { 'if-none-match': `"other", ${tag}` });
      expect([again.status, again.headers.get('etag'), again.body]).toStrictEqual([304, tag, '']);
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    }
    const tags = await Promise.all(paths().map(async (path) => (await get(path)).headers.get('etag') ?? ''));
    const { body } = await client.request<{ job_id: string }>('POST', `/v1/files/${fileId}/process`, { json: {} });
    expect((await client.waitForJob(body.job_id)).status).toBe('completed');
    for (const [at, path] of paths().entries()) {
      expect((await get(path, { 'if-none-match': tags[at] ?? '' })).status).toBe(200);
    }
  });

  it('is read with a portal token of its space, and with no other', async () => {
    const tokenOf = async (of: string) =>
      bodyOf(await client.post<{ token: string }>('/v1/portal/tokens', { space: of }), 201).token;
    const [own, other] = [await tokenOf(space), await tokenOf(newSpace())];
    for (const path of paths()) {
      const read = (token: string) =>
        get(path.replace('/v1/files', '/v1/portal/files'), { authorization: `PortalToken ${token}` });
      expect(JSON.stringify(bodyOf(await read(own), 200))).toContain('# Clay');
      expect((await read(other)).status).toBe(404);
    }
  });

  it('and files are listed with the address of the next page', async () => {
    await client.upload('b.md', '# Brick', { space, skip_processing: 'true' });
    const names: string[] = [];
    let path: string | undefined = `/v1/files?space=${space}&limit=1&sort_by=filename&sort_order=asc`;
    while (path !== undefined) {
      const page: Answer<{ files: { filename: string }[] }> = await client.get(path);
      names.push(...bodyOf(page, 200).files.map(({ filename }) => filename));
      const next: string | undefined = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
      path = next === undefined ? undefined : next.slice(new URL(next).origin.length);
    }
    expect(names).toStrictEqual(['a.md', 'b.md']);
  });
});
