import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { json, startTestServer, type TestServer } from '../fixtures/test-server.js';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const page = (ids: string[], next: string | null) => json(200, { files: ids.map((id) => ({ id })), next_cursor: next });

describe('a list', () => {
  it('is awaited for its first page, with one request', async () => {
    server.script(page(['a'], 'x'));
    const list = server.kiln().files.list();
    expect((await list).next_cursor).toBe('x');
    expect((await list).files.map(({ id }) => id)).toStrictEqual(['a']);
    expect(server.received).toHaveLength(1);
  });

  it('is looped over to its end, also past a page without entries', async () => {
    server.script(page(['a', 'b'], 'x'), page([], 'y'), page(['c'], null));
    const ids: string[] = [];
    for await (const { id } of server.kiln().files.list({ limit: 2 })) ids.push(id);
    expect(ids).toStrictEqual(['a', 'b', 'c']);
    expect(server.received.map(({ path }) => path)).toStrictEqual([
      '/v1/files?limit=2',
      '/v1/files?limit=2&cursor=x',
      '/v1/files?limit=2&cursor=y',
    ]);
  });

  it('asks for no page that the loop does not reach', async () => {
    server.script(page(['a', 'b'], 'x'));
    for await (const { id } of server.kiln().files.list()) if (id === 'a') break;
    expect(server.received).toHaveLength(1);
  });

  it('is collected up to a limit, which is needed', async () => {
    server.script(page(['a', 'b'], 'x'), page(['c', 'd'], 'y'));
    expect(await server.kiln().files.list().all({ limit: 3 })).toStrictEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    const collect = async () =>
      server
        .kiln()
        .files.list()
        .all({} as never);
    await expect(collect()).rejects.toThrow('limit must be a number above 0');
  });

  it('ends with an error if the server repeats a cursor', async () => {
    server.script(page(['a'], 'x'));
    const collect = async () => server.kiln().files.list().all({ limit: 10 });
    await expect(collect()).rejects.toThrow('the same cursor twice');
  });
});
