// FAKES: the object store, the sandbox and the source of bytes, which wait for the test. Real ones: acceptance/src/page-images.spec.ts.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, type CallContext, type WorkerInput } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';
import { StorageError } from '@kiln/storage';
import { eventually } from '@kiln/testing';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tooSlow } from '../runs/bucket/bucket-failure.errors.js';
import { DrawPage } from './draw-page.usecase.js';

const context = (tenantId: string, deadlineMs = 60_000): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + deadlineMs,
});

const input = (given: Partial<WorkerInput<'drawPage'>> = {}): WorkerInput<'drawPage'> => ({
  filename: 'a.pdf',
  content_type: 'application/pdf',
  source: { key: 'a/b/source', etag: null, size_bytes: 9, bucket: null },
  page: 1,
  width: 320,
  image_key: 'a/b/pages/only/320/1.png',
  ...given,
});

describe('the drawing of a page', () => {
  let scratchDirectory: string;
  /** Owners of the documents that are being drawn, and how each ends. */
  let running: {
    owner: string | undefined;
    end: (result: Error | { pageCount: number; png: Buffer | null }) => void;
  }[];
  let downloadFault: Error | null;
  let stored: string[];
  let draw: DrawPage;
  beforeEach(async () => {
    scratchDirectory = await mkdtemp(join(tmpdir(), 'kiln-pages-'));
    [running, stored, downloadFault] = [[], [], null];
    draw = new DrawPage({
      scratchDirectory,
      objects: {
        put: (key) => {
          stored.push(key);
          return Promise.resolve({ sizeBytes: 0, etag: '' });
        },
      },
      source: {
        download: async (_file, path) => {
          if (downloadFault) throw downloadFault;
          await writeFile(path, 'document');
          return '';
        },
      },
      sandbox: {
        drawPage: ({ owner }) =>
          new Promise((resolve, reject) => {
            const end = (result: Error | { pageCount: number; png: Buffer | null }) =>
              result instanceof Error ? reject(result) : resolve(result);
            running.push({ owner, end });
          }),
      },
    });
  });
  afterEach(() => rm(scratchDirectory, { recursive: true, force: true }));

  const image = { pageCount: 3, png: Buffer.from('png') };
  /** Waits until so many drawings have begun, and ends the last one. */
  async function endOf(count: number, result: Parameters<(typeof running)[number]['end']>[0] = image) {
    await eventually(() => expect(running).toHaveLength(count));
    running[count - 1]?.end(result);
  }

  it('stores the image, and removes the document', async () => {
    const drawn = draw.execute(input(), context('a'));
    await endOf(1);
    expect(await drawn).toStrictEqual({ page_count: 3 });
    expect(stored).toStrictEqual(['a/b/pages/only/320/1.png']);
    expect(await readdir(scratchDirectory)).toStrictEqual([]);
  });

  it('stores nothing for a page that the document does not have', async () => {
    const drawn = draw.execute(input({ page: 4 }), context('a'));
    await endOf(1, { pageCount: 3, png: null });
    expect([await drawn, stored]).toStrictEqual([{ page_count: 3 }, []]);
  });

  it('holds two documents at a time, and lets a second tenant go before the third page of the first', async () => {
    const first = [1, 2, 3].map(() => draw.execute(input(), context('a')));
    const second = draw.execute(input(), context('b'));
    await eventually(() => expect(running).toHaveLength(2));
    expect(await readdir(scratchDirectory)).toHaveLength(2);
    running[0]?.end(image);
    await eventually(() => expect(running.map(({ owner }) => owner)).toStrictEqual(['a', 'a', 'b']));
    running[1]?.end(image);
    running[2]?.end(image);
    await endOf(4);
    await Promise.all([...first, second]);
    expect(await readdir(scratchDirectory)).toStrictEqual([]);
  });

  it('gives up its place in the queue at the deadline of its caller', async () => {
    const others = [1, 2].map(() => draw.execute(input(), context('a')));
    await expect(draw.execute(input(), context('a', 1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await eventually(() => expect(running).toHaveLength(2));
    for (const { end } of running) end(image);
    await Promise.all(others);
    expect(running).toHaveLength(2);
  });

  it('refuses types without pages before it reads any bytes', async () => {
    downloadFault = new Error('read');
    await expect(draw.execute(input({ content_type: 'text/plain' }), context('a'))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Pages of text/plain are not drawn. PDF files and images have page images.',
    });
  });

  it.each([
    [new ExtractionError('encrypted_file', 'It is protected.'), { code: 'CONFLICT', message: 'It is protected.' }],
    [new ExtractionError('timeout', 'It takes too long.'), { code: 'CONFLICT', message: 'It takes too long.' }],
    [new ExtractionError('internal', 'A child ended.'), { code: 'UNAVAILABLE' }],
    [new ExtractionError('unavailable', 'No extractor.'), { code: 'UNAVAILABLE' }],
  ])('reports %p of the reader to its caller', async (error, expected) => {
    const drawn = draw.execute(input(), context('a'));
    await endOf(1, error);
    await expect(drawn).rejects.toMatchObject(expected);
    await expect(drawn).rejects.toBeInstanceOf(CodedError);
  });

  it.each([
    [
      new StorageError('not_found', 'gone'),
      { code: 'CONFLICT', message: expect.stringContaining('Upload them first') },
    ],
    [new StorageError('unavailable', 'away'), { code: 'UNAVAILABLE' }],
    [tooSlow('theirs'), { code: 'BUCKET_UNAVAILABLE', message: expect.stringContaining('theirs') }],
  ])('reports %p of the source to its caller', async (error, expected) => {
    downloadFault = error;
    await expect(draw.execute(input(), context('a'))).rejects.toMatchObject(expected);
    expect(await readdir(scratchDirectory)).toStrictEqual([]);
  });
});
