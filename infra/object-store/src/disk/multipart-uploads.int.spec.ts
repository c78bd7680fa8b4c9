// Real: the disk. Faked: nothing.
import { describe, expect, test } from '@jest/globals';
import { randomCases, testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WriteCondition } from './bucket-objects.js';
import { Buckets } from './buckets.js';
import { MultipartUploads, type UploadDescription } from './multipart-uploads.js';
import type { StagedFile } from './object-file.js';

fc.configureGlobal({ seed: testSeed() });

const SLOT_BYTES = 600;
/** Takes direct writes. */
const SECTOR_SLOT_BYTES = 8192;
const limits = { partBytesMin: 0, objectBytesMax: 1_000_000, nowMs: 7 };

class Bench {
  uploads: MultipartUploads;
  private constructor(
    readonly directory: string,
    readonly buckets: Buckets,
  ) {
    this.uploads = new MultipartUploads(buckets);
  }

  static async run(task: (bench: Bench) => Promise<void>, durable = false): Promise<void> {
    const directory = await mkdtemp(join(tmpdir(), 'kiln-uploads-'));
    try {
      const buckets = new Buckets({ directory, durable });
      await buckets.prepare();
      await buckets.create('bucket');
      await task(new Bench(directory, buckets));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** Loses everything in memory, as a crash does. */
  forget(): void {
    this.uploads = new MultipartUploads(this.buckets);
  }

  async begin(): Promise<UploadDescription> {
    const start = { bucket: 'bucket', key: 'key', headers: {}, initiatedMs: 1 };
    return this.uploads.get('bucket', 'key', await this.uploads.create(start));
  }

  folderOf({ bucket, uploadId }: UploadDescription): string {
    return join(this.buckets.uploadsRoot, bucket, uploadId);
  }

  async put(upload: UploadDescription, partNumber: number, bytes: Buffer, breaks = false): Promise<string> {
    const body = { pieces: pieces(bytes, breaks), sizeBytesMax: bytes.length, tag: 'random' } as const;
    return (await this.uploads.putPart(upload, partNumber, body, 1)).etag;
  }

  async complete(upload: UploadDescription, condition?: WriteCondition, count = Infinity): Promise<void> {
    const parts = (await this.uploads.parts(upload)).slice(0, count);
    const bucket = await this.buckets.get('bucket');
    const publish = (staged: StagedFile): Promise<void> => bucket.publish(staged, condition);
    await this.uploads.complete(upload, { ...limits, parts }, publish, () => undefined);
  }

  async object(): Promise<Buffer> {
    const { handle, description } = await (await this.buckets.get('bucket')).open('key');
    try {
      return (await handle.readFile()).subarray(0, description.sizeBytes);
    } finally {
      await handle.close();
    }
  }
}

async function* pieces(bytes: Buffer, breaks = false): AsyncGenerator<Buffer> {
  for (let at = 0; at < 300; at += 1) yield bytes.subarray(at, at + 1); // enough for a first write
  await new Promise(setImmediate);
  if (breaks) throw new Error('the client went away');
  yield bytes.subarray(300);
}

function refuse(): never {
  throw new Error('there is such an object already');
}

interface PartSent {
  partNumber: number;
  sizeBytes: number;
  breaks: boolean;
}

type Step = PartSent[] | 'forget' | 'refused';

function stepWith(slotBytes: number): fc.Arbitrary<Step> {
  const part: fc.Arbitrary<PartSent> = fc.record({
    partNumber: fc.integer({ min: 1, max: 4 }),
    sizeBytes: fc.oneof({ weight: 4, arbitrary: fc.constant(slotBytes) }, fc.integer({ min: 0, max: 1.5 * slotBytes })),
    breaks: fc.boolean(),
  });
  return fc.oneof(
    { weight: 5, arbitrary: fc.array(part, { minLength: 1, maxLength: 4 }) },
    { weight: 2, arbitrary: fc.constantFrom('forget', 'refused') },
  );
}

describe('an object consists of the parts that were acknowledged last, whatever was sent, aborted or refused before', () => {
  const scenario = async (steps: Step[], durable: boolean): Promise<void> =>
    Bench.run(async (bench) => {
      const upload = await bench.begin();
      const sent = new Map<string, Buffer>();
      const whole = new Set<number>();
      for (const parts of steps) {
        if (parts === 'forget') bench.forget();
        else if (parts === 'refused') await bench.complete(upload, refuse, 1).catch(() => undefined);
        else {
          await Promise.all(
            parts.map(async ({ partNumber, sizeBytes, breaks }) => {
              const bytes = randomBytes(sizeBytes);
              const etag = await bench.put(upload, partNumber, bytes, breaks).catch(() => undefined);
              expect(etag === undefined).toBe(breaks);
              if (etag === undefined) return;
              sent.set(etag, bytes);
              whole.add(partNumber);
            }),
          );
        }
      }
      const listed = await bench.uploads.parts(upload);
      expect(listed.map(({ partNumber }) => partNumber)).toStrictEqual([...whole].sort((a, b) => a - b));
      if (listed.length === 0) return;
      await bench.complete(upload);
      const expected = Buffer.concat(listed.map(({ etag }) => sent.get(etag) ?? Buffer.from('never sent')));
      expect((await bench.object()).equals(expected)).toBe(true);
      await expect(bench.put(upload, 1, Buffer.from('late'))).rejects.toMatchObject({ code: 'NoSuchUpload' });
      expect(await readdir(bench.buckets.stagingFolder)).toStrictEqual([]);
    }, durable);

  test.each([
    {
      store: 'a store that is not durable',
      slotBytes: SLOT_BYTES,
      durable: false,
      numRuns: randomCases({ gate: 50, stress: 150 }),
    },
    { store: 'a durable store', slotBytes: SLOT_BYTES, durable: true, numRuns: randomCases({ gate: 20, stress: 50 }) },
    {
      store: 'a durable store with parts of whole sectors',
      slotBytes: SECTOR_SLOT_BYTES,
      durable: true,
      numRuns: randomCases({ gate: 30, stress: 100 }),
    },
  ])('in $store', async ({ slotBytes, durable, numRuns }) => {
    const steps = fc.array(stepWith(slotBytes), { minLength: 1, maxLength: 6 });
    await fc.assert(fc.asyncProperty(steps, fc.constant(durable), scenario), { numRuns });
  });
});

test('of several parts with the same number, the last one counts', async () =>
  Bench.run(async (bench) => {
    const upload = await bench.begin();
    for (const text of ['first.', 'second', 'third', 'the fourth']) await bench.put(upload, 1, Buffer.from(text));
    await expect(bench.put(upload, 1, Buffer.from('broken'), true)).rejects.toThrow();
    await bench.complete(upload);
    expect(String(await bench.object())).toBe('the fourth');
  }));

test('parts of equal size, with a smaller last one, become the object without a copy', async () =>
  Bench.run(async (bench) => {
    const upload = await bench.begin();
    const bytes = randomBytes(2.5 * SLOT_BYTES);
    const send = (partNumber: number): Promise<string> =>
      bench.put(upload, partNumber, bytes.subarray((partNumber - 1) * SLOT_BYTES, partNumber * SLOT_BYTES));
    await send(2);
    await Promise.all([send(3), send(1)]);
    const [slots = ''] = (await readdir(bench.folderOf(upload))).filter((name) => name.endsWith('.slots'));
    const { ino } = await stat(join(bench.folderOf(upload), slots));
    await bench.complete(upload);
    expect((await bench.object()).equals(bytes)).toBe(true);
    const { handle } = await (await bench.buckets.get('bucket')).open('key');
    expect((await handle.stat()).ino).toBe(ino);
    await handle.close();
  }));

test('a part that arrives after the upload was completed never changes the object', async () =>
  Bench.run(async (bench) => {
    const upload = await bench.begin();
    await bench.put(upload, 1, Buffer.alloc(SLOT_BYTES, 'a'));
    let goOn = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const late = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('b');
      await waiting;
      yield Buffer.alloc(SLOT_BYTES - 1, 'b');
    };
    const sending = bench.uploads.putPart(upload, 2, { pieces: late(), sizeBytesMax: SLOT_BYTES, tag: 'md5' }, 1);
    await bench.complete(upload);
    goOn();
    await expect(sending).rejects.toMatchObject({ code: 'NoSuchUpload' });
    expect(String(await bench.object())).toBe('a'.repeat(SLOT_BYTES));
  }));

test('a record truncated by a crash, or from an earlier boot, does not count as a part', async () =>
  Bench.run(async (bench) => {
    const upload = await bench.begin();
    const folder = bench.folderOf(upload);
    for (const partNumber of [1, 2, 3]) await bench.put(upload, partNumber, Buffer.alloc(SLOT_BYTES));
    await writeFile(join(folder, '2.slot'), (await readFile(join(folder, '2.slot'), 'utf8')).slice(0, -1));
    expect((await bench.uploads.parts(upload)).map(({ partNumber }) => partNumber)).toStrictEqual([1, 3]);
    for (const name of await readdir(folder)) {
      if (name.endsWith('.slots')) await rename(join(folder, name), join(folder, name.replace(/-.*-/, '-earlier-')));
    }
    await bench.put(upload, 4, Buffer.alloc(SLOT_BYTES));
    expect((await bench.uploads.parts(upload)).map(({ partNumber }) => partNumber)).toStrictEqual([4]);
  }));
