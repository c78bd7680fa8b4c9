// The TypeScript SDK against a system, with connections that break, and the examples of its guide and of `@kiln/langchain`.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { ConflictError, Kiln, NotFoundError, UnauthorizedError, type KilnOptions } from '@kiln/sdk';
import { fromPath, uploadFolder } from '@kiln/sdk/node';
import { verifyWebhook } from '@kiln/sdk/webhooks';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sendHalf, startCuttingProxy, type CuttingProxy } from './support/cut-connections.js';
import { startEndpoint } from './support/endpoints.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const TEXT = '# Zephyr\n\nThe warranty of the Zephyr turbine is ten years.\n';
const QUESTION = 'How long is the warranty of the Zephyr turbine?';
const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url));
const newSpace = () => `sdk-${randomUUID()}`;

describe('the TypeScript SDK', () => {
  let system: SystemUnderTest;
  let apiKey: string;
  let proxy: CuttingProxy;
  let kiln: Kiln;
  let folder: string;
  beforeAll(async () => {
    system = await systemUnderTest();
    ({ apiKey } = await system.newClient());
    proxy = await startCuttingProxy(system.client.baseUrl);
    kiln = clientOf({});
    folder = await mkdtemp(join(tmpdir(), 'kiln-sdk-'));
    await mkdir(join(folder, 'inner'));
    await writeFile(join(folder, 'zephyr.md'), TEXT);
    await writeFile(join(folder, 'inner/other.md'), '# Other\n');
    await writeFile(join(folder, 'inner/draft.tmp'), 'x');
  });
  afterAll(async () => {
    await proxy.close();
    await system.stop();
    await rm(folder, { recursive: true });
  });

  const clientOf = (options: Partial<KilnOptions>) =>
    new Kiln({ baseUrl: proxy.url, apiKey, ...options } as KilnOptions);
  const read = async ({ id, job_id: jobId }: { id: string; job_id: string | null }) => {
    expect((await kiln.jobs.waitFor(jobId ?? '', { deadlineMs: 120_000 })).status).toBe('completed');
    return kiln.variants.read(id, 'markdown');
  };
  const filesIn = (space: string) => kiln.files.list({ space }).all({ limit: 100 });

  describe('uploads', () => {
    it('a path, a Blob, bytes, a stream and a URL, which are read as markdown', async () => {
      const blob = new Blob([TEXT], { type: 'text/markdown' });
      const origin = await startEndpoint(
        (response) => void response.writeHead(200, { 'content-type': 'text/markdown' }).end(TEXT),
      );
      const named = { filename: 'zephyr.md', space: newSpace() };
      const uploads = [
        kiln.files.upload(await fromPath(join(folder, 'zephyr.md')), { space: named.space }),
        kiln.files.upload(blob, named, { onProgress: () => {} }),
        kiln.files.upload(new TextEncoder().encode(TEXT), named),
        kiln.files.upload(blob.stream(), named),
        kiln.files.upload(new URL(`${origin.url}zephyr.md`), { space: named.space }),
      ];
      for (const file of await Promise.all(uploads)) expect(await read(file)).toBe(TEXT);
      await origin.close();
      expect(await filesIn(named.space)).toHaveLength(5);
    });

    it('a folder as a batch, whose end can be waited for', async () => {
      const space = newSpace();
      const { batchIds, files } = await uploadFolder(kiln, folder, {
        filter: (path) => path.endsWith('.md'),
        fields: (path) => ({ space, metadata: { path } }),
      });
      expect(files.map(({ path, error }) => [path, error])).toStrictEqual([
        ['inner/other.md', undefined],
        ['zephyr.md', undefined],
      ]);
      expect(await kiln.batches.waitFor(batchIds[0] ?? '')).toMatchObject({ total: 2, completed: 2, in_progress: 0 });
      const found = await kiln.files.list({ space, metadata: { 'metadata.path': 'inner/other.md' } });
      expect(found.files.map(({ filename }) => filename)).toStrictEqual(['other.md']);
    });

    it('a file once, although the connection breaks when it is registered', async () => {
      const space = newSpace();
      const cuts = proxy.cuts;
      proxy.cutNextResponse();
      const file = await kiln.files.upload(new Blob([TEXT]), { filename: 'zephyr.md', space });
      expect(await read(file)).toBe(TEXT);
      expect([proxy.cuts - cuts, (await filesIn(space)).map(({ id }) => id)]).toStrictEqual([1, [file.id]]);
    });

    it('a file of more than 1 MiB once, although the connection breaks in the middle of its bytes', async () => {
      const [space, text] = [newSpace(), TEXT.repeat(20_000)];
      let halves = 0;
      const breaking: typeof fetch = async (input, init) => {
        if (init?.method !== 'PUT' || (halves += 1) > 1) return fetch(input, init);
        await sendHalf(new Request(input).url, init.headers as Record<string, string>, text.length);
        throw new TypeError('fetch failed');
      };
      const fields = { filename: 'zephyr.md', space, variants: ['markdown' as const] };
      const file = await clientOf({ fetch: breaking }).files.upload(new Blob([text]), fields);
      expect(await read(file)).toBe(text);
      expect([halves, (await filesIn(space)).map(({ id }) => id)]).toStrictEqual([2, [file.id]]);
    });
  });

  it('lists a page, and all pages', async () => {
    const space = newSpace();
    const fields = { space, skip_processing: true };
    for (const filename of ['a', 'b', 'c']) await kiln.files.upload(new Blob([filename]), { ...fields, filename });
    const { files, next_cursor } = await kiln.files.list({ space, limit: 2 });
    expect([files.length, typeof next_cursor]).toStrictEqual([2, 'string']);
    const names: string[] = [];
    for await (const { filename } of kiln.files.list({ space, limit: 2, sort_by: 'filename', sort_order: 'asc' }))
      names.push(filename);
    expect(names).toStrictEqual(['a', 'b', 'c']);
  });

  it('searches, and streams an answer with its sources', async () => {
    const space = newSpace();
    const file = await kiln.files.upload(new Blob([TEXT]), { filename: 'zephyr.md', space });
    await read(file);
    const { results } = await kiln.search.query({ query: 'warranty turbine', space });
    expect(results.map(({ file_id }) => file_id)).toStrictEqual([file.id]);
    let answer = '';
    const sources: string[] = [];
    for await (const part of kiln.search.askStream({ question: QUESTION, space })) {
      if (part.type === 'chunk') answer += part.content;
      if (part.type === 'sources') sources.push(...part.sources.map(({ file_id }) => file_id));
    }
    expect([answer, sources]).toStrictEqual(['The warranty of the Zephyr turbine is ten years. [1]', [file.id]]);
    expect((await kiln.search.ask({ question: QUESTION, space })).answer).toBe(answer);
  });

  it('verifies a request to a webhook', async () => {
    const endpoint = await startEndpoint();
    const { id, secret } = await kiln.webhooks.create({ url: endpoint.url, events: ['*'] });
    await kiln.webhooks.test(id);
    const request = await eventually(() => endpoint.received[0] ?? Promise.reject(new Error('no request yet')));
    const event = verifyWebhook({ ...request, secret });
    expect(event).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } });
    await kiln.webhooks.delete(id);
    await endpoint.close();
  });

  it('streams events, and loses none when the connection breaks', async () => {
    const space = newSpace();
    const stream = kiln.events.stream({ types: ['file.created', 'file.processing.completed'], space });
    const completed = async () => {
      for await (const event of stream) if (event.type === 'file.processing.completed') return event.data.file_id;
      return null;
    };
    const following = completed();
    await eventually(async () => {
      await kiln.files.upload(new Blob(['x']), { filename: 'x', space, skip_processing: true });
      if (stream.lastEventId === undefined) throw new Error('no event yet');
    });
    proxy.cutAll();
    const { id } = await kiln.files.upload(new Blob([TEXT]), { filename: 'zephyr.md', space });
    expect(await following).toBe(id);
  });

  it('throws errors by code', async () => {
    const missing = kiln.files.get('file_01h455vb4pex5vsknk084sn02q');
    await expect(missing).rejects.toBeInstanceOf(NotFoundError);
    await expect(missing).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404, requestId: expect.any(String) });
    const stranger = clientOf({ apiKey: `kiln_live_${'x'.repeat(43)}` });
    await expect(stranger.organization.getMe()).rejects.toBeInstanceOf(UnauthorizedError);
    const { id } = await kiln.files.create({ filename: 'later.md' });
    await expect(kiln.files.download(id)).rejects.toBeInstanceOf(ConflictError);
  });

  describe('its example', () => {
    const space = 'contracts';
    /** Returns what the example prints. */
    const run = async (name: string, args: string[] = [], { port = 0, from = 'sdk' } = {}) => {
      const env = { PATH: '', KILN_URL: system.client.baseUrl, KILN_API_KEY: apiKey, PORT: String(port) };
      return (
        await promisify(execFile)(process.execPath, [join(PACKAGES, from, 'examples', name), ...args], {
          env,
          timeout: 120_000,
        })
      ).stdout;
    };

    it('upload.mjs prints the text of a file', async () => {
      expect(await run('upload.mjs', [join(folder, 'zephyr.md')])).toBe(`${TEXT}\n`);
    });

    it('folder.mjs, list.mjs and search.mjs upload, list and answer', async () => {
      expect(await run('folder.mjs', [folder])).toBe('2 completed, 0 failed\n');
      const listed = await run('list.mjs', [space]);
      expect(listed).toMatch(
        /^2 files, and more\nother\.md: completed\nzephyr\.md: completed\nzephyr\.md: completed\n2 files have a path\n$/,
      );
      expect(await run('search.mjs', [space, QUESTION])).toMatch(/ten years.*\[1\].*\n\[1\] zephyr\.md/s);
    });

    it('retrieve.mjs and load.mjs make documents for LangChain', async () => {
      const space = newSpace();
      await read(await kiln.files.upload(new Blob([TEXT]), { filename: 'zephyr.md', space }));
      const from = 'langchain';
      expect(await run('retrieve.mjs', [space, QUESTION], { from })).toMatch(/^zephyr\.md, Zephyr: .*ten years\.\n/s);
      expect(await run('load.mjs', [space], { from })).toBe(`zephyr.md: ${TEXT.length} characters\n`);
    });

    it('webhook.mjs receives a verified event', async () => {
      expect(await run('webhook.mjs', [], { port: await freePort() })).toMatch(/^a test of wh_\w+\n$/);
    });

    it('events.mjs prints the end of processing', async () => {
      const space = newSpace();
      const printing = run('events.mjs', [space]);
      let isPrinted = false;
      const end = () => (isPrinted = true);
      printing.then(end, end);
      await eventually(async () => {
        if (!isPrinted) await read(await kiln.files.upload(new Blob([TEXT]), { filename: 'zephyr.md', space }));
        if (!isPrinted) throw new Error('nothing printed yet');
      });
      expect(await printing).toBe('zephyr.md is processed\n');
    });

    it('errors.mjs shows three errors', async () => {
      const lines = (await run('errors.mjs')).trimEnd().split('\n');
      expect(lines).toStrictEqual([
        expect.stringMatching(/^NOT_FOUND: /),
        'TIMEOUT: a retry can help',
        'the user has left',
      ]);
    });
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
