import { describe, expect, it } from '@jest/globals';
import { utils, write } from 'cfb';
import { randomOf } from '../fixtures/mutate.js';
import { readCompoundFile } from './compound-file.js';

/**
 * Positions in the header: the bits of a sector, the first sector of the directory, and the first sector of the table.
 */
const [sectorBits, directoryStart, tableStart] = [30, 48, 76];

function make(files: Readonly<Record<string, Buffer>>): Buffer {
  const file = utils.cfb_new();
  for (const [path, content] of Object.entries(files)) utils.cfb_add(file, path, content);
  return Buffer.from(write(file, { type: 'buffer' }) as Uint8Array);
}

describe('a compound file', () => {
  it('has its streams and storages, small and large, by upper-case names', () => {
    const [small, large] = [Buffer.from('clay'), Buffer.alloc(3_000_000, 'kiln')];
    const root = readCompoundFile(make({ '/a': small, '/b/C': large, '/b/d/e': small, '/empty': Buffer.alloc(0) }));
    expect(root.streams.get('A')).toStrictEqual(small);
    expect(root.streams.get('EMPTY')?.length).toBe(0);
    const inner = root.storages.get('B');
    expect(inner?.streams.get('C')?.equals(large)).toBe(true);
    expect(inner?.storages.get('D')?.streams.get('E')).toStrictEqual(small);
  });

  it('whose table of sectors is longer than the header can say has all of a stream', () => {
    const large = Buffer.alloc(9_000_000, 'kiln');
    expect(
      readCompoundFile(make({ '/a': large }))
        .streams.get('A')
        ?.equals(large),
    ).toBe(true);
  });

  it.each([
    ['is another file', (file: Buffer) => file.fill(0, 0, 8)],
    ['has sectors of an impossible size', (file: Buffer) => file.writeUInt16LE(31, sectorBits)],
    ['has no directory', (file: Buffer) => file.writeUInt32LE(0xffff_fffe, directoryStart)],
    ['has its directory elsewhere', (file: Buffer) => file.writeUInt32LE(7_000_000, directoryStart)],
  ])('that %s is refused', (_, damage) => {
    const file = make({ '/a': Buffer.alloc(10_000, 1) });
    damage(file);
    expect(() => readCompoundFile(file)).toThrow(/./);
  });

  it('whose sectors follow each other in a circle is refused', () => {
    const file = make({ '/a': Buffer.alloc(100_000, 1) });
    const table = (file.readUInt32LE(tableStart) + 1) * 512;
    for (let sector = 0; sector < 128; sector++) file.writeUInt32LE(0, table + 4 * sector);
    expect(() => readCompoundFile(file)).toThrow(/used twice|missing/);
  });

  it('that is damaged anywhere is read or refused, and never gives more than it holds', () => {
    const file = make({ '/a': Buffer.from('clay'), '/b/c': Buffer.alloc(5000, 2), '/b/d': Buffer.alloc(5000, 3) });
    for (let seed = 0; seed < 2000; seed++) {
      const random = randomOf(seed);
      const damaged = Buffer.from(file);
      for (let count = 0; count < 8; count++) damaged[random(damaged.length)] = random(2) === 0 ? 0 : random(256);
      try {
        expect(bytesIn(readCompoundFile(damaged))).toBeLessThanOrEqual(4 * damaged.length);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect((error as Error).message).not.toMatch(/expect/);
      }
    }
  });
});

function bytesIn({ streams, storages }: ReturnType<typeof readCompoundFile>): number {
  let bytes = 0;
  for (const stream of streams.values()) bytes += stream.length;
  for (const storage of storages.values()) bytes += bytesIn(storage);
  return bytes;
}
