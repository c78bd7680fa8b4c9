import { describe, expect, it } from '@jest/globals';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { createHash } from 'node:crypto';
import { arrowFiles } from './fixtures/arrow-files.js';
import { rowsOf, sourceOf } from './fixtures/read-all.js';
import { readLayout, readRows } from './index.js';

const COLUMNS = 'bucket key is_latest is_delete_marker size last_modified_date e_tag storage_class'.split(' ');
const rowOf = (row: number): unknown[] => [
  'acme-documents',
  `folder 0/+%2F😀ü/file-${String(row).padStart(8, '0')}.txt`,
  row % 3 !== 0,
  row % 7 === 0 ? null : row % 11 === 0,
  row % 13 === 0 ? null : row * 7_919,
  1_700_000_000_000 + row * 1_000,
  createHash('md5').update(String(row)).digest('hex'),
  ['STANDARD', 'GLACIER', 'STANDARD_IA'][row % 3],
];
const arrowRows = Array.from({ length: 30 }, (_, row) => rowOf(row));

describe('rows', () => {
  it.each(arrowFiles.map((file, at) => [at + 1, file] as const))(
    'are those that Arrow wrote, in pages of version %s, after any row',
    async (_, file) => {
      for (let after = 0; after <= 30; after += 1)
        expect(await rowsOf(sourceOf(file), COLUMNS, after)).toStrictEqual(arrowRows.slice(after));
    },
  );

  it('span pages, with integers up to 2⁵³ and NaN beyond', async () => {
    const keys = Array.from({ length: 5_000 }, (_, row) => `key/${row}`);
    const sizes = keys.map((_, row) => (row % 10 === 0 ? null : BigInt(2 ** 53) - BigInt(row % 2)));
    const columnData = [
      { name: 'key', data: keys, type: 'STRING', nullable: false },
      { name: 'size', data: sizes, type: 'INT64' },
    ] as const;
    const file = Buffer.from(parquetWriteBuffer({ columnData: [...columnData], rowGroupSize: 2_300, pageSize: 5_000 }));
    const expected = keys.map((key, row) => [key, row % 10 === 0 ? null : row % 2 === 0 ? Number.NaN : 2 ** 53 - 1]);
    expect(await rowsOf(sourceOf(file), ['key', 'size'])).toStrictEqual(expected);
    expect(await rowsOf(sourceOf(file), ['size', 'key'], 4_999)).toStrictEqual([[2 ** 53 - 1, 'key/4999']]);
  });

  it('are in batches whose values hold one page of a column', async () => {
    const data = Array.from({ length: 2_000 }, (_, row) => createHash('sha512').update(String(row)).digest('hex'));
    const columnData = [{ name: 'key', data, type: 'STRING' as const }];
    const source = sourceOf(Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 2_000, pageSize: 10_000 })));
    let [rows, batches] = [0, 0];
    for await (const batch of readRows(source, await readLayout(source), ['key'], 0)) {
      expect(new Set(batch.columns[0]?.map((value) => (value as Buffer).buffer)).size).toBe(1);
      rows += batch.rows;
      batches += 1;
    }
    expect(rows).toBe(2_000);
    expect(batches).toBeGreaterThan(20);
  });

  it('that are passed over are not read, and neither are other columns', async () => {
    const data = Array.from({ length: 10_000 }, (_, row) => `${row}`.repeat(20));
    const columnData = ['key', 'other'].map((name) => ({ name, data, type: 'STRING' as const }));
    const file = Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 1_000, codec: 'UNCOMPRESSED' }));
    const bytesFor = async (after: number) => {
      const source = sourceOf(file);
      await rowsOf(source, ['key'], after);
      return source.bytesRead;
    };
    const [all, last] = [await bytesFor(0), await bytesFor(9_999)];
    expect(all).toBeLessThan(file.length * 0.9);
    expect(last).toBeLessThan(all / 5);
  });

  it('have the columns of the file, with the unit of times', async () => {
    const { rows, columns } = await readLayout(sourceOf(arrowFiles[0] ?? Buffer.alloc(0)));
    expect([rows, columns.get('last_modified_date'), columns.get('is_latest')]).toStrictEqual([
      30,
      { name: 'last_modified_date', type: 'integer', isOptional: true, unitsPerMs: 1 },
      { name: 'is_latest', type: 'boolean', isOptional: true, unitsPerMs: null },
    ]);
  });
});
