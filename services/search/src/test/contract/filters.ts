// What every text index must do.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, uuidOf, type FileFilter, type SearchInput } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { type SearchHarness } from '../search-harness.js';

/** `start` opens the service with one of the text indexes. */
export const describeFilters = (start: () => Promise<SearchHarness>) => {
  let kiln: SearchHarness;
  beforeAll(async () => {
    kiln = await start();
  });
  afterAll(() => kiln.close());

  const vectorOf = (value: number) => [value, Math.sqrt(1 - value ** 2), ...Array.from({ length: 62 }, () => 0)];
  async function add(tenantId: string, text: string, year: string, cosine = 0.5) {
    const metadata = { year };
    const id = await kiln.index({ tenantId, chunks: [text], metadata, vectors: [vectorOf(cosine)] });
    describeFile(id, year);
    return id;
  }
  function describeFile(id: string, year: string) {
    const details = { file_id: id, filename: 'x.txt', space: 'default', content_type: null, metadata: { year } };
    kiln.fileDetails.set(uuidOf('file', id), { ...details, external_id: null, created_at: '2026-01-01 00:00:00' });
  }
  const idsOf = async (tenantId: string, filter: FileFilter, more: Partial<SearchInput<'search'>> = {}) =>
    (await kiln.search(tenantId, 'narwhal', { filter, ...more })).results.map(({ file_id: id }) => id);

  it.each(['text', 'vector', 'hybrid'] as const)('finds the best files that pass it, in the mode %s', async (mode) => {
    const tenantId = randomUUID();
    kiln.vectors.set('narwhal', vectorOf(1));
    for (let file = 0; file < 30; file++) await add(tenantId, 'narwhal', '2019', 0.9);
    const best = await add(tenantId, 'narwhal and whales', '2020', 0.8);
    const other = await add(tenantId, 'narwhal and whales near the northern coast', '2021', 0.7);
    expect(await idsOf(tenantId, { 'metadata.year': { gte: 2020 } }, { mode, limit: 2 })).toStrictEqual([best, other]);
    expect(await idsOf(tenantId, { 'metadata.year': { in: ['2021', 2020] } }, { mode, limit: 1 })).toStrictEqual([
      best,
    ]);
    expect(await idsOf(tenantId, { not: { 'metadata.year': { exists: true } } }, { mode })).toStrictEqual([]);
  });

  it.each(['text', 'vector', 'hybrid'] as const)(
    'finds chunks of files that pass it, in the mode %s, although a thousand chunks of others rank higher',
    async (mode) => {
      const tenantId = randomUUID();
      kiln.vectors.set('narwhal', vectorOf(1));
      for (let call = 0; call < 3; call++) {
        const files = Array.from({ length: 20 }, () => ({
          fileId: randomUUID(),
          chunks: Array.from({ length: 20 }, () => 'narwhal'),
          vectors: Array.from({ length: 20 }, () => vectorOf(0.9)),
        }));
        await kiln.indexTogether(tenantId, files);
        for (const { fileId } of files) describeFile(encodeId('file', fileId), '2019');
      }
      const passing = await add(tenantId, 'narwhal and whales', '2020', 0.8);
      const filter = { 'metadata.year': { gte: 2020 } };
      for (const max_per_file of [undefined, 2])
        expect(await idsOf(tenantId, filter, { mode, group: 'chunk', max_per_file })).toStrictEqual([passing]);
    },
  );

  describe('of more than a thousand files that rank higher', () => {
    const tenantId = randomUUID();
    let named: string;
    beforeAll(async () => {
      named = await add(tenantId, 'a narwhal among many other words of a longer text', '2020', 0.1);
      for (let call = 0; call < 21; call++) {
        const files = Array.from({ length: 50 }, () => ({
          fileId: randomUUID(),
          chunks: ['narwhal'],
          vectors: [vectorOf(0.9)],
        }));
        await kiln.indexTogether(tenantId, files);
        // Half of them stay in the tail.
        if (call === 10) await kiln.merge(tenantId);
      }
      kiln.vectors.set('narwhal', vectorOf(1));
    });

    it.each(['text', 'vector', 'hybrid'] as const)(
      'finds one that it names by its id, in the mode %s',
      async (mode) => {
        for (const group of ['file', 'chunk'] as const) {
          expect(await idsOf(tenantId, { file_id: { eq: named } }, { mode, group })).toStrictEqual([named]);
          const several: FileFilter = { and: [{ file_id: { in: ['no id', encodeId('file', randomUUID()), named] } }] };
          expect(await idsOf(tenantId, several, { mode, group })).toStrictEqual([named]);
          const { total } = await kiln.search(tenantId, 'narwhal', { mode, group, filter: several });
          expect(total).toBe(1);
        }
        const contradicting: FileFilter = { and: [{ file_id: { eq: named } }, { 'metadata.year': { eq: '1999' } }] };
        expect(await idsOf(tenantId, contradicting, { mode })).toStrictEqual([]);
      },
    );
  });

  it('asks the index for what files equal, so that others take no place', async () => {
    const tenantId = randomUUID();
    const one = await add(tenantId, 'a narwhal among many other words of a longer text', '2020');
    for (let file = 0; file < 30; file++) await add(tenantId, 'narwhal', '2019');
    kiln.files.calls = 0;
    const filter: FileFilter = { and: [{ 'metadata.year': { eq: '2020' } }, { 'metadata.year': { lt: 2030 } }] };
    expect(await idsOf(tenantId, filter, { limit: 1, mode: 'text' })).toStrictEqual([one]);
    expect(kiln.files.calls).toBe(1);
  });

  it('finds nothing where the filter contradicts the other filters', async () => {
    const tenantId = randomUUID();
    await add(tenantId, 'narwhal', '2020');
    expect(await idsOf(tenantId, { space: { eq: 'other' } }, { space: 'default' })).toStrictEqual([]);
    expect(await idsOf(tenantId, { space: { eq: 'default' } }, { space: 'default' })).toHaveLength(1);
  });
};
