import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@kiln/pdf/fixtures/make-pdf';
import { makePicture } from '@kiln/readers/fixtures/make-picture';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { ExtractorServer, type ExtractorServerOptions } from './extractor-server.js';
import { createRemoteSandbox, type RemoteSandboxOptions } from './remote-sandbox.js';
import type { Sandbox } from './sandbox-options.js';
import { createSandbox } from './sandbox.js';

let scratch: Scratch;
let directory: string;
const ends: (() => Promise<void>)[] = [];

async function startExtractor(options: Partial<ExtractorServerOptions> = {}): Promise<{ url: string; local: Sandbox }> {
  const local = createSandbox({ processes: 2, isolation: 'preferred' });
  const server = new ExtractorServer({
    sandbox: local,
    directory,
    inputBytesMax: 1024 * 1024,
    receiveDeadlineMs: 60_000,
    ...options,
    // Read for each document.
    get documentsMax() {
      return options.documentsMax ?? 4;
    },
  });
  const port = await server.listen(0, '127.0.0.1');
  ends.push(
    () => server.close(),
    () => local.close(),
  );
  return { url: `http://127.0.0.1:${port}`, local };
}

function remoteTo(url: string, options: Partial<RemoteSandboxOptions> = {}): Sandbox {
  const remote = createRemoteSandbox({ url, deadlineMs: 60_000, patienceMs: 500, ...options });
  ends.unshift(() => remote.close());
  return remote;
}

/** An extractor that answers as it likes. */
async function startOther(answer: (response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer((request, response) => request.resume().once('end', () => answer(response)));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An extractor that resets each connection when the first bytes have come. */
async function startLeaving(): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => void socket.resetAndDestroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const never = new AbortController().signal;
/** What the worker does not ask for. */
const unasked = {
  countPages: () => Promise.resolve(null),
  makeThumbnail: () => Promise.resolve(null),
  readProperties: () => Promise.resolve(null),
  drawPage: () => Promise.resolve({ pageCount: 0, png: null }),
};

describe('an extractor, as a worker uses it', () => {
  beforeEach(async () => {
    scratch = await Scratch.make();
    directory = await mkdtemp(join(tmpdir(), 'kiln-extractor-'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await scratch.remove();
    await rm(directory, { recursive: true });
  });

  it('returns what the sandbox returns: markdown, pages, metadata, counts, thumbnails, pages and properties', async () => {
    const { url, local } = await startExtractor();
    const remote = remoteTo(url);
    const pdf = await makePdf({ pages: [[{ text: 'One kiln' }], [{ text: 'Two kilns' }]] });
    const ours = await scratch.run(local, 'a.pdf', 'application/pdf', pdf);
    const theirs = await scratch.run(remote, 'a.pdf', 'application/pdf', pdf);
    const { markdown, pages, metadata, pageCount, markdownBytes } = theirs;
    expect({ markdown, pages, metadata, pageCount, markdownBytes }).toStrictEqual({
      markdown: ours.markdown,
      pages: ours.pages,
      metadata: ours.metadata,
      pageCount: 2,
      markdownBytes: ours.markdownBytes,
    });
    const input = await scratch.input('ü.pdf', 'application/pdf', pdf);
    expect(await remote.countPages(input, never)).toBe(2);
    expect(await remote.readProperties(input, never)).toStrictEqual(await local.readProperties(input, never));
    const page = { page: 2, width: 320 };
    const drawn = await remote.drawPage(input, page, never);
    expect([drawn.pageCount, drawn.png?.subarray(1, 4).toString()]).toStrictEqual([2, 'PNG']);
    expect(drawn).toStrictEqual(await local.drawPage(input, page, never));
    expect(await remote.drawPage(input, { page: 3, width: 320 }, never)).toStrictEqual({ pageCount: 2, png: null });
    const picture = await scratch.input('a.png', 'image/png', await makePicture({ width: 600, height: 400 }));
    const thumbnail = await remote.makeThumbnail(picture, never);
    expect(thumbnail?.subarray(0, 4).toString()).toBe('RIFF');
    expect(thumbnail).toStrictEqual(await local.makeThumbnail(picture, never));
    const text = await scratch.input('a.txt', 'text/plain', 'clay');
    expect([await remote.makeThumbnail(text, never), await local.makeThumbnail(text, never)]).toStrictEqual([
      null,
      null,
    ]);
  });

  it('keeps nothing of a document', async () => {
    const { url } = await startExtractor();
    await scratch.run(remoteTo(url), 'a.csv', 'text/csv', 'a,b\n1,2\n');
    await eventually(async () => expect(await readdir(directory)).toStrictEqual([]));
  });

  it('passes on what is wrong with a document', async () => {
    const remote = remoteTo((await startExtractor()).url);
    await expect(scratch.run(remote, 'a.pdf', 'application/pdf', 'no pdf')).rejects.toMatchObject({
      code: 'corrupt_file',
      retryable: false,
      message: expect.stringMatching(/a\.pdf/),
    });
    await expect(scratch.run(remote, 'big', 'text/plain', 'x'.repeat(2_000_000))).rejects.toMatchObject({
      code: 'file_too_large',
    });
    await expect(scratch.run(remote, 'a', 'application/x-unknown', 'x')).rejects.toMatchObject({
      code: 'unsupported_type',
    });
  });

  it('can be tried again when no extractor has room, or none answers', async () => {
    const full = remoteTo((await startExtractor({ documentsMax: 0 })).url);
    const gone = remoteTo('http://127.0.0.1:9');
    for (const remote of [full, gone]) {
      const run = scratch.run(remote, 'a.csv', 'text/csv', 'a,b\n');
      await expect(run).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    }
  });

  it('can be tried again when it refuses a large document, or breaks off, before it has received all of it', async () => {
    const large = 'a,b\n'.repeat(5_000_000);
    const full = remoteTo((await startExtractor({ documentsMax: 0 })).url);
    const leaving = remoteTo(await startLeaving());
    for (const remote of [full, leaving]) {
      const run = scratch.run(remote, 'large.csv', 'text/csv', large);
      await expect(run).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    }
  });

  it('that breaks off after it has received a document may have failed because of it', async () => {
    const remote = remoteTo(await startOther((response) => void response.destroy()));
    await expect(scratch.run(remote, 'a.csv', 'text/csv', 'a,b\n')).rejects.toMatchObject({ code: 'internal' });
  });

  it('takes no place for a document that it refuses', async () => {
    let documentsMax = 0;
    const { url } = await startExtractor({
      get documentsMax() {
        return documentsMax;
      },
    });
    const { port } = new URL(url);
    const slow = connect(Number(port), '127.0.0.1');
    slow.write('POST /v1/documents HTTP/1.1\r\nhost: extractor\r\ncontent-length: 1000\r\n\r\n');
    const [head] = (await once(slow, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1.1 503 /);
    documentsMax = 1;
    const { markdown } = await scratch.run(remoteTo(url), 'a.csv', 'text/csv', 'a,b\n1,2\n');
    expect(markdown).toContain('| 1');
    slow.destroy();
  });

  it('refuses a request whose target is no URL, and reads the next document', async () => {
    const { url } = await startExtractor();
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    client.write('POST // HTTP/1.1\r\nhost: extractor\r\ncontent-length: 0\r\n\r\n');
    const [head] = (await once(client, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1.1 400 /);
    client.destroy();
    expect((await scratch.run(remoteTo(url), 'a.csv', 'text/csv', 'a,b\n1,2\n')).markdown).toContain('| 1');
  });

  it('is offered a document again until it has room', async () => {
    const { local } = await startExtractor();
    let refusals = 2;
    const server = new ExtractorServer({
      sandbox: local,
      directory,
      inputBytesMax: 1024,
      receiveDeadlineMs: 60_000,
      get documentsMax() {
        return refusals-- > 0 ? 0 : 1;
      },
    });
    const port = await server.listen(0, '127.0.0.1');
    ends.unshift(() => server.close());
    const remote = remoteTo(`http://127.0.0.1:${port}`, { patienceMs: 60_000 });
    expect((await scratch.run(remote, 'a.csv', 'text/csv', 'a,b\n1,2\n')).markdown).toContain('| 1');
  });

  it('offers a document again while the disk of an extractor is full', async () => {
    const { local } = await startExtractor();
    let isFull = true;
    const extract: Sandbox['extract'] = async (input, signal) => {
      if (!isFull) return local.extract(input, signal);
      isFull = false;
      // Every write to this device fails with ENOSPC.
      await writeFile('/dev/full', 'text');
      throw new Error('the disk was to be full');
    };
    const { url } = await startExtractor({ sandbox: { ...unasked, extract } });
    const { markdown } = await scratch.run(remoteTo(url, { patienceMs: 60_000 }), 'a.csv', 'text/csv', 'a,b\n1,2\n');
    expect(markdown).toContain('| 1');
    expect(isFull).toBe(false);
  });

  it('stops reading when the worker gives up', async () => {
    const signals: AbortSignal[] = [];
    const stuck: ExtractorServerOptions['sandbox'] = {
      ...unasked,
      extract: (_input, signal) => {
        signals.push(signal);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      },
    };
    const remote = remoteTo((await startExtractor({ sandbox: stuck })).url);
    const abort = new AbortController();
    const run = remote.extract(await scratch.input('a', 'text/csv', 'a'), abort.signal);
    await eventually(() => signals.length > 0);
    const [stopped] = signals;
    abort.abort();
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    await eventually(() => stopped?.aborted === true);
  });

  it('is not trusted: an answer that is too large, malformed or incomplete is an error', async () => {
    const announced = (length: number, rest = '') => {
      const header = Buffer.alloc(4);
      header.writeUInt32BE(length);
      return Buffer.concat([header, Buffer.from(rest)]);
    };
    const done = JSON.stringify({
      type: 'done',
      result: { pageCount: null, metadata: {}, sizes: { markdownPath: 10 ** 12, pagesPath: null } },
    });
    const answers = [announced(2 ** 31), announced(5, 'hello'), announced(100, '{'), announced(done.length, done)];
    for (const answer of answers) {
      const remote = remoteTo(await startOther((response) => void response.end(answer)));
      await expect(scratch.run(remote, 'a.csv', 'text/csv', 'a')).rejects.toMatchObject({ code: 'internal' });
    }
  });

  it('is not trusted with pages either: they are PNG images of the announced length, up to the limit', async () => {
    const input = await scratch.input('a.pdf', 'application/pdf', 'a');
    const png = Buffer.from('89504e470d0a1a0a', 'hex');
    const answered = async (sizeBytes: unknown, bytes: Buffer) => {
      const [header, body] = [Buffer.alloc(4), Buffer.from(JSON.stringify({ type: 'drawn', pageCount: 1, sizeBytes }))];
      header.writeUInt32BE(body.length);
      const url = await startOther((response) => void response.end(Buffer.concat([header, body, bytes])));
      return remoteTo(url).drawPage(input, { page: 1, width: 320 }, never);
    };
    expect(await answered(8, png)).toStrictEqual({ pageCount: 1, png });
    const script = Buffer.from('<script>');
    for (const [size, bytes] of [
      [8, script],
      [9, png],
      [7, png],
      [2 ** 25, png],
      ['8', png],
    ] as const)
      await expect(answered(size, bytes)).rejects.toMatchObject({ code: 'internal' });
  });

  it('is not trusted with thumbnails either: they are WebP images of an allowed size', async () => {
    const webp = (bytes: number) => {
      const image = Buffer.alloc(bytes);
      image.write('RIFF');
      image.writeUInt32LE(bytes - 8, 4);
      image.write('WEBP', 8);
      return image.toString('base64');
    };
    const input = await scratch.input('a.png', 'image/png', 'a');
    const answered = async (message: object) => {
      const [header, body] = [Buffer.alloc(4), Buffer.from(JSON.stringify(message))];
      header.writeUInt32BE(body.length);
      const url = await startOther((response) => void response.end(Buffer.concat([header, body])));
      return remoteTo(url).makeThumbnail(input, never);
    };
    const page = Buffer.from('<script>alert(1)</script>').toString('base64');
    for (const image of [webp(262_145), webp(40).slice(0, -8), page, 7])
      await expect(answered({ type: 'pictured', image })).rejects.toMatchObject({ code: 'internal', retryable: false });
    expect(await answered({ type: 'pictured', image: webp(262_144) })).toHaveLength(262_144);
  });

  it('must answer within the deadline', async () => {
    const remote = remoteTo(await startOther(() => undefined), { deadlineMs: 300 });
    await expect(scratch.run(remote, 'a.csv', 'text/csv', 'a')).rejects.toMatchObject({ code: 'internal' });
  });
});
