import fc from 'fast-check';
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { DirectIo, SECTOR_BYTES } from './direct-io.js';

const MEBIBYTE = 1024 * 1024;

async function withDirectIo(t: TestContext, task: (direct: DirectIo, path: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kiln-direct-'));
  try {
    const direct = await DirectIo.in(directory);
    if (direct === undefined) t.skip('the file system takes no direct writes');
    else await task(direct, join(directory, 'file'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield Buffer.from(bytes.subarray(at, at + size));
    at += size;
  }
}

test('pieces of any sizes arrive where they should, and nothing else of the file changes but the last sector', (t) =>
  withDirectIo(t, async (direct, path) => {
    const before = randomBytes(4 * MEBIBYTE);
    const sizes = fc.array(fc.integer({ min: 1_000, max: 300_000 }), { minLength: 1, maxLength: 5 });
    const sectors = fc.integer({ min: 0, max: 20 });
    const write = async (sizeBytes: number, cuts: number[], skipped: number): Promise<void> => {
      await writeFile(path, before);
      const [bytes, start] = [randomBytes(sizeBytes), skipped * SECTOR_BYTES];
      const hash = createHash('md5');
      assert.equal(await direct.write(path, start, cut(bytes, cuts), hash), sizeBytes);
      assert.equal(hash.digest('hex'), createHash('md5').update(bytes).digest('hex'));
      const end = Math.ceil((start + sizeBytes) / SECTOR_BYTES) * SECTOR_BYTES;
      const zeros = Buffer.alloc(end - start - sizeBytes);
      const expected = [before.subarray(0, start), bytes, zeros, before.subarray(end)];
      assert.ok((await readFile(path)).equals(Buffer.concat(expected)));
    };
    await fc.assert(fc.asyncProperty(fc.integer({ min: 0, max: 3 * MEBIBYTE }), sizes, sectors, write), {
      numRuns: 30,
    });
  }));

test('written pieces have given their memory back, and pieces of something larger have not', (t) =>
  withDirectIo(t, async (direct, path) => {
    const [own, shared] = [Buffer.alloc(100_000, 'a'), Buffer.alloc(100_000, 'b')];
    const pieces = async function* (): AsyncGenerator<Buffer> {
      yield own;
      yield shared.subarray(50_000);
    };
    await direct.write(path, 0, pieces());
    assert.deepEqual([own.length, shared.length], [0, 100_000]);
  }));

test('memory for direct writes is limited, and free again after writes that failed', (t) =>
  withDirectIo(t, async (direct, path) => {
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
      assert.equal(await direct.write(path, 0, endless()), undefined);
      fail();
      for (const { status } of await writes) assert.equal(status, 'rejected');
    }
    assert.equal(await direct.write(path, 0, cut(Buffer.from('fits'), [4])), 4);
  }));
