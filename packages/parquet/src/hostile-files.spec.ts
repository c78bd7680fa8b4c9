// Files that are made to cost memory or time. docs/decisions/syncs.md ("A reader of Parquet") says what some of them cost another reader.
import { describe, expect, it } from '@jest/globals';
import { randomCases, randomNumbers, testSeed } from '@kiln/testing/seed';
import { gzipSync } from 'node:zlib';
import { arrowFiles } from './fixtures/arrow-files.js';
import { fileOf, fileWithFooter, pageOf, struct, varint } from './fixtures/hostile-file.js';
import { rowsOf, sourceOf } from './fixtures/read-all.js';
import { ParquetError, readLayout } from './index.js';

const MIB = 1_024 ** 2;
const plain = (text: string): Buffer => Buffer.concat([Buffer.from([text.length, 0, 0, 0]), Buffer.from(text)]);
const refusal = (file: Buffer) =>
  rowsOf(sourceOf(file), ['key']).then(
    () => null,
    (error: unknown) => (error instanceof ParquetError ? error.message : error),
  );

describe('a hostile file', () => {
  it.each<[string, Buffer, RegExp]>([
    ['a number without end', Buffer.from([0x36, ...Array<number>(400_000).fill(0xff)]), /too many bytes/],
    ['a list that is longer than the file', Buffer.from([0x29, 0xfc, 0xff, 0xff, 0xff, 0x7f]), /list is longer/],
    ['text that is longer than the file', Buffer.from([0x28, 0xff, 0xff, 0xff, 0x7f]), /leads out of the file/],
    ['structs in structs', Buffer.alloc(1_000, 0x1c), /nested too deeply/],
    [
      'a million empty structs',
      Buffer.concat([Buffer.from([0x29, 0xfc]), varint(1e6), Buffer.alloc(1e6)]),
      /more than 200000 values/,
    ],
    ['no end', Buffer.from([0x15]), /ends in the middle/],
    ['no columns', struct([[3, 0]]), /another type/],
  ])('with a footer that has %s is refused', async (_, footer, message) => {
    await expect(readLayout(sourceOf(fileWithFooter(footer)))).rejects.toThrow(message);
  });

  it('with a footer that is longer than 4 MiB is refused before it is read', async () => {
    const source = sourceOf(fileWithFooter(Buffer.alloc(4 * 1_024 ** 2 + 1)));
    await expect(readLayout(source)).rejects.toThrow('larger than 4 MiB');
    expect(source.bytesRead).toBe(8);
  });

  const run = (count: number) => Buffer.concat([Buffer.from([1]), varint(count * 2), Buffer.from([0])]);
  const entry = pageOf(plain('a'), { values: 1, isDictionary: true });
  it.each<[string, Buffer, RegExp | null]>([
    [
      'more rows than bytes',
      fileOf(Buffer.concat([entry, pageOf(run(2 ** 30), { values: 2 ** 30, encoding: 8 })]), 2 ** 30),
      /more rows than bytes/,
    ],
    [
      'a run that is longer than its page',
      fileOf(Buffer.concat([entry, pageOf(run(2 ** 30), { values: 3, encoding: 8 })]), 3),
      null,
    ],
    ['a page that is longer than it says', fileOf(pageOf(plain('a'), { values: 1, says: 4 }), 1), /another length/],
    ['a page of 9 MiB', fileOf(pageOf(plain('a'), { values: 1, says: 9 * MIB }), 1, { codec: 1 }), /larger than 8 MiB/],
    [
      'a page of 1 GiB',
      fileOf(pageOf(plain('a'), { values: 1, says: 1_024 * MIB }), 1, { codec: 1 }),
      /more than 32 MiB/,
    ],
    [
      'a dictionary of a page of 5 MiB with as many entries',
      fileOf(pageOf(Buffer.alloc(5 * MIB), { values: 5 * MIB, isDictionary: true }), 1),
      /more than 32 MiB/,
    ],
    [
      'a page that says less than it has in gzip',
      fileOf(pageOf(gzipSync(Buffer.alloc(1e7)), { values: 1, says: 5 }), 1, { codec: 2 }),
      /not compressed validly/,
    ],
    [
      'a copy from before the page',
      fileOf(pageOf(Buffer.from([5, 0, 1, 0x11, 9]), { values: 1, says: 5 }), 1, { codec: 1 }),
      /not compressed validly/,
    ],
    [
      'a value that is longer than its page',
      fileOf(pageOf(Buffer.from([0, 16, 0, 0, 1]), { values: 1 }), 1),
      /leads out/,
    ],
    [
      'a value of more than 4 KiB',
      fileOf(pageOf(Buffer.concat([Buffer.from([1, 16, 0, 0]), Buffer.alloc(4_097)]), { values: 1 }), 1),
      /longer than 4096 bytes/,
    ],
    [
      'an entry of more than 4 KiB in its dictionary',
      fileOf(
        pageOf(Buffer.concat([Buffer.from([1, 16, 0, 0]), Buffer.alloc(4_097)]), { values: 1, isDictionary: true }),
        1,
      ),
      /longer than 4096 bytes/,
    ],
    [
      'a value that is not in the dictionary',
      fileOf(Buffer.concat([entry, pageOf(Buffer.from([1, 2, 1]), { values: 1, encoding: 8 })]), 1),
      /not in its dictionary/,
    ],
    ['no dictionary', fileOf(pageOf(run(1), { values: 1, encoding: 8 }), 1), /no dictionary/],
    ['two dictionaries', fileOf(Buffer.concat([entry, entry]), 1), /two dictionaries/],
    [
      'numbers of 200 bits',
      fileOf(Buffer.concat([entry, pageOf(Buffer.from([200, 2, 1]), { values: 1, encoding: 8 })]), 1),
      /too many bits/,
    ],
    ['fewer values than rows', fileOf(pageOf(plain('a'), { values: 1 }), 2), /fewer values/],
    [
      'a column outside of the file',
      fileOf(pageOf(plain('a'), { values: 1 }), 2, { size: 1e9 }),
      /outside of the file/,
    ],
    ['an encoding that is not read', fileOf(pageOf(plain('a'), { values: 1, encoding: 7 }), 1), /DELTA_BYTE_ARRAY/],
    ['a codec that is not read', fileOf(pageOf(plain('a'), { values: 1 }), 1, { codec: 5 }), /codec 5/],
  ])('with %s takes no more than its bytes', async (_, file, message) => {
    const refused = await refusal(file);
    if (message === null) expect(refused).toBeNull();
    else expect(refused).toMatch(message);
  });

  it('that is cut or changed anywhere is read, or refused with a reason', async () => {
    const random = randomNumbers(testSeed());
    const damage = (bytes: Buffer): Buffer => {
      if (random(4) === 0) return bytes.subarray(0, random(bytes.length));
      for (let left = random(4); left >= 0; left -= 1) bytes[random(bytes.length)] = random(256);
      // The footer steers everything, and is a small part of the file.
      bytes[bytes.length - 9 - random(900)] = random(256);
      return bytes;
    };
    for (let left = randomCases({ gate: 2_000, stress: 200_000 }); left > 0; left -= 1) {
      const file = damage(Buffer.from(arrowFiles[random(2)] ?? []));
      const error = await refusal(file);
      if (error !== null && typeof error !== 'string') throw error;
    }
  });
});
