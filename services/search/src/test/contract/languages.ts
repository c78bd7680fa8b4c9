// What every text index must do.
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { TextLanguage } from '@kiln/contracts';
import { expectInTailAndMerged } from '../expect-found.js';
import { type SearchHarness } from '../search-harness.js';

/** `start` opens the service with one of the text indexes. */
export const describeLanguages = (start: () => Promise<SearchHarness>) => {
  let kiln: SearchHarness;
  let tenantId: string;
  beforeAll(async () => {
    kiln = await start();
  });
  beforeEach(() => {
    tenantId = randomUUID();
  });
  afterAll(() => kiln.close());

  const add = (language: TextLanguage, ...chunks: string[]) => kiln.index({ tenantId, language, chunks });
  const found = async (query: string) =>
    new Set((await kiln.search(tenantId, query)).results.map(({ file_id: id }) => id));
  const expectFound = (expected: Record<string, string[]>) =>
    expectInTailAndMerged(expected, found, () => kiln.merge(tenantId));

  it('are each found by the forms of words in their own language', async () => {
    const german = await add('german', 'Die alten Häuser am Fluss');
    const french = await add('french', 'Les nationalités européennes');
    const plain = await add('none', 'Häuser houses');
    const english = await add('english', 'The old houses');
    const japanese = await add('none', '新しい機械学習の基礎');
    await expectFound({
      Haus: [german],
      Hauses: [german],
      Häuser: [german, plain],
      nationalité: [french],
      house: [english],
      houses: [english, plain],
      機械学習: [japanese],
      // This word is a stop word in German only.
      die: [],
      the: [],
    });
  });

  it('are found by phrases and excluded by words of their own language, and marked by it', async () => {
    const german = await add('german', 'das alte Haus am Fluss', 'der Zaun');
    const english = await add('english', 'the old house by the river');
    await expectFound({
      '"alten Häusern"': [german],
      '"am Fluss"': [german],
      '"old houses"': [english],
      'Fluss river -Häuser': [english],
      'Fluss river -houses': [german],
      'Fluss river -"alte Häuser"': [english],
    });
    const { results } = await kiln.search(tenantId, 'Häuser houses');
    expect(new Set(results.map(({ snippet }) => snippet))).toStrictEqual(
      new Set(['das alte <mark>Haus</mark> am Fluss', 'the old <mark>house</mark> by the river']),
    );
  });

  it('are found at once when they are the first of their language, also by a process that has searched before', async () => {
    expect(await found('Haus')).toStrictEqual(new Set());
    const german = await add('german', 'viele Häuser');
    expect(await found('Haus')).toStrictEqual(new Set([german]));
    const swedish = await kiln.indexTogether(tenantId, [{ chunks: ['många bilar'], language: 'swedish' }]);
    expect(swedish).toMatchObject([{ chunks: 1 }]);
    expect((await found('bil')).size).toBe(1);
  });

  it('are found by exactly one version while the language of a file changes', async () => {
    const fileId = randomUUID();
    const chunks = ['viele Häuser'];
    const english = await kiln.index({ tenantId, fileId, jobNumber: 1, language: 'english', chunks });
    await kiln.merge(tenantId);
    expect([await found('Haus'), await found('Häuser')]).toStrictEqual([new Set(), new Set([english])]);
    await kiln.index({ tenantId, fileId, jobNumber: 2, language: 'german', chunks });
    for (const query of ['Haus', 'Häuser']) expect((await kiln.search(tenantId, query)).total).toBe(1);
  });

  it('do not take results from each other: a score does not depend on how many languages a tenant has', async () => {
    await add('english', 'alpha beta');
    await add('english', 'alpha gamma');
    const before = await kiln.search(tenantId, 'alpha beta');
    const other = randomUUID();
    for (const language of ['english', 'german'] as const)
      await kiln.index({ tenantId: other, language, chunks: [language === 'english' ? 'alpha beta' : 'alpha gamma'] });
    const after = await kiln.search(other, 'alpha beta');
    expect(after.results.map(({ score }) => score)).toStrictEqual(before.results.map(({ score }) => score));
  });
};
