import { expect, test } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectIo, SECTOR_BYTES } from './direct-io.js';

fc.configureGlobal({ seed: testSeed() });

const MEBIBYTE = 1024 * 1024;

/** Some file systems, such as tmpfs, do not support direct writes. */
const onDisk = (await DirectIo.in(tmpdir())) === undefined ? test.skip : test;

async function withDirectIo(task: (direct: DirectIo, path: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kiln-direct-'));
  try {
    const direct = await DirectIo.in(directory);
    if (direct === undefined) throw new Error('The file system does not support direct writes.');
    await task(direct, join(directory, 'file'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let count = 0; at < bytes.length; count += 1) {
    const size = sizes[count % sizes.length] ?? 1;
    yield Buffer.from(bytes.subarray(at, at + size));
    at += size;
  }
}

onDisk('pieces of any sizes arrive where they should, and nothing else of the file changes but the last sector', () =>
  withDirectIo(async (direct, path) => {
    const before = randomBytes(4 * MEBIBYTE);
    const sizes = fc.array(fc.integer({ min: 1_000, max: 300_000 }), { minLength: 1, maxLength: 5 });
    const sectors = fc.integer({ min: 0, max: 20 });
    const write = async (sizeBytes: number, cuts: number[], skipped: number): Promise<void> => {
      await writeFile(path, before);
      const [bytes, start] = [randomBytes(sizeBytes), skipped * SECTOR_BYTES];
      const hash = createHash('md5');
      expect(await direct.write(path, start, cut(bytes, cuts), hash)).toBe(sizeBytes);
      expect(hash.digest('hex')).toBe(createHash('md5').update(bytes).digest('hex'));
      const end = Math.ceil((start + sizeBytes) / SECTOR_BYTES) * SECTOR_BYTES;
      const zeros = Buffer.alloc(end - start - sizeBytes);
      const expected = [before.subarray(0, start), bytes, zeros, before.subarray(end)];
      expect((await readFile(path)).equals(Buffer.concat(expected))).toBe(true);
    };
    await fc.assert(fc.asyncProperty(fc.integer({ min: 0, max: 3 * MEBIBYTE }), sizes, sectors, write), {
      numRuns: 30,
    });
  }),
);

onDisk('written pieces have given their memory back, and pieces of something larger have not', () =>
  withDirectIo(async (direct, path) => {
    const [own, shared] = [Buffer.alloc(100_000, 'a'), Buffer.alloc(100_000, 'b')];
    const pieces = async function* (): AsyncGenerator<Buffer> {
      yield own;
      yield shared.subarray(50_000);
    };
    await direct.write(path, 0, pieces());
    expect([own.length, shared.length]).toStrictEqual([0, 100_000]);
  }),
);

onDisk('memory for direct writes is limited, and free again after writes that failed', () =>
  withDirectIo(async (direct, path) => {
    for (let round = 0; round < 3; round += 1) {
      let fail = (): void => undefined;
      const failing = new Promise<never>((_, reject) => (fail = () => reject(new Error('the client went away'))));
      failing.catch(() => undefined);
      const endless = async function* (): AsyncGenerator<Buffer> {
        yield Buffer.alloc(MEBIBYTE);
        yield await failing;
      };
      const writes = Promise.allSettled(
        Array.from({ length: 8 }, (_, at) => direct.write(`${path}-${at}`, 0, endless())),
      );
      expect(await direct.write(path, 0, endless())).toBeUndefined();
      fail();
      for (const { status } of await writes) expect(status).toBe('rejected');
    }
    expect(await direct.write(path, 0, cut(Buffer.from('fits'), [4]))).toBe(4);
  }),
);
