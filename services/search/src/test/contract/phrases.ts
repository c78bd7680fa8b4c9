// What every text index must do.
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { uuidOf } from '@kiln/contracts';
import { expectInTailAndMerged } from '../expect-found.js';
import { type FileOfSpec, type SearchHarness } from '../search-harness.js';

/** `start` opens the service with one of the text indexes. */
export const describePhrases = (start: () => Promise<SearchHarness>) => {
  let kiln: SearchHarness;
  let tenantId: string;
  beforeAll(async () => {
    kiln = await start();
  });
  beforeEach(() => {
    tenantId = randomUUID();
  });
  afterAll(() => kiln.close());

  const add = (file: FileOfSpec) => kiln.index({ tenantId, ...file });
  const found = async (query: string, more = {}) => {
    const { results, total } = await kiln.search(tenantId, query, more);
    expect([query, total]).toStrictEqual([query, results.length]);
    return new Set(results.map(({ file_id: id }) => id));
  };
  const expectFound = (expected: Record<string, string[]>) =>
    expectInTailAndMerged(expected, found, () => kiln.merge(tenantId));

  it('finds a phrase in one chunk, not across chunks, and in the title and the filename', async () => {
    const inChunk = await add({ chunks: ['nothing', 'the red foxes ran'] });
    const inTitle = await add({ chunks: ['a fox, red'], title: 'The Red Fox', filename: 'a.txt' });
    const inName = await add({ chunks: [], filename: 'my_red-fox.txt' });
    const across = await add({ chunks: ['it is red', 'fox'] });
    await expectFound({
      '"red fox"': [inChunk, inTitle, inName],
      '“RED foxes”': [inChunk, inTitle, inName],
      'red fox': [inChunk, inTitle, inName, across],
      '"fox red"': [inTitle],
      '"red fox" "fox red"': [inTitle],
      '"the red fox"': [inChunk, inTitle],
      'red -"red fox"': [across],
      'red -"fox red"': [inChunk, inName, across],
    });
  });

  it('excludes a file for a word in any of its chunks, its title or its name', async () => {
    const kept = await add({ chunks: ['walrus', 'seal'] });
    await add({ chunks: ['walrus', 'and more', 'a narwhal'] });
    await add({ chunks: ['walrus'], title: 'Narwhals' });
    await add({ chunks: ['walrus'], filename: 'narwhal.txt' });
    await expectFound({ 'walrus -narwhal': [kept], 'walrus -narwhals': [kept], 'seal walrus -seal -narwhal': [] });
  });

  it('finds phrases in scripts without spaces and with accents, and words that must occur', async () => {
    const whole = await add({ chunks: ['新しい機械学習の基礎', 'Crème brûlée'] });
    const parts = await add({ chunks: ['機械の学習、械学', 'brûlée, crème'] });
    await expectFound({
      '"機械学習"': [whole],
      '"学習"': [whole, parts],
      '学習 -"機械学習"': [parts],
      '学習 -機械学習': [parts],
      '"creme brulee"': [whole],
      'brulee "基礎"': [whole],
    });
  });

  it('finds nothing for exclusions only, and ignores phrases of stop words', async () => {
    const file = await add({ chunks: ['to be a fox'] });
    await expectFound({ '-dog': [], '-"big dog"': [], '"to be"': [], 'fox -the "to be"': [file], 'fox -a': [file] });
  });

  it('shows the chunk that has the phrase, with its words marked and all text escaped', async () => {
    await add({ chunks: ['fox fox red red', `${'x '.repeat(50)}red <&> fox & "co"`] });
    const [result] = (await kiln.search(tenantId, '"red fox &" "fox co"')).results;
    expect(result?.snippet).toContain(
      '<mark>red</mark> &lt;&amp;&gt; <mark>fox</mark> &amp; &quot;<mark>co</mark>&quot;',
    );
  });

  it('finds the current version of a replaced file only, and no deleted file', async () => {
    const fileId = randomUUID();
    const file = await add({ fileId, chunks: ['red fox'], title: 'A title of old' });
    await kiln.merge(tenantId);
    await add({ fileId, jobNumber: 2, chunks: ['fox red'], title: 'A new title' });
    await expectFound({ '"red fox"': [], '"fox red"': [file], '"title of old"': [], '"new title"': [file] });
    kiln.deletedFiles.add(uuidOf('file', file));
    await expectFound({ '"fox red"': [], 'fox -"red fox"': [] });
  });

  it('applies filters, and counts files beyond the limit', async () => {
    for (let n = 0; n < 5; n++) await add({ chunks: ['red fox'], space: 's1' });
    await add({ chunks: ['red fox'], space: 's2' });
    expect((await found('"red fox"', { space: 's1' })).size).toBe(5);
    const { results, total } = await kiln.search(tenantId, '"red fox" -wolf', { space: 's1', limit: 2 });
    expect([results.length, total]).toStrictEqual([2, 5]);
  });

  it('reads texts within its bounds, and counts files that it could not check', async () => {
    for (let n = 0; n < 6; n++) await add({ chunks: ['red fox'] });
    await add({
      chunks: Array.from({ length: 20 }, (_, n) => (n < 19 ? 'fox and red and '.repeat(n + 1) : 'red fox')),
    });
    const bounds = kiln.searches.checkBounds;
    const withBounds = async (changed: Partial<typeof bounds>) => {
      kiln.searches.checkBounds = { ...bounds, ...changed };
      const { results, total } = await kiln
        .search(tenantId, '"red fox"')
        .finally(() => (kiln.searches.checkBounds = bounds));
      return [results.length, total];
    };
    expect(await withBounds({})).toStrictEqual([7, 7]);
    expect(await withBounds({ bytesPerStatement: 1, passagesPerStatement: 3 })).toStrictEqual([7, 7]);
    const [few = 0, total] = await withBounds({ passages: 2 });
    expect([few <= 2, total]).toStrictEqual([true, 7]);
  });

  it('refuses more than 20 phrases and exclusions, and names the query', async () => {
    const exclusions = (count: number) => 'fox' + ' -dog "fox"'.repeat(count / 2);
    await add({ chunks: ['fox'] });
    expect((await found(exclusions(20))).size).toBe(1);
    const refusal = { code: 'BAD_REQUEST', message: expect.stringMatching(/^query must have at most 20 /) };
    await expect(kiln.search(tenantId, exclusions(22))).rejects.toMatchObject(refusal);
  });
};
