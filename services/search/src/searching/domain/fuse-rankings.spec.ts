import { describe, expect, it } from '@jest/globals';
import { fuseRankings } from './fuse-rankings.js';

const files = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ fileId: `file ${from + at}` }));
const orderOf = (fused: readonly { fileId: string }[]) => fused.map(({ fileId }) => fileId);
const all = { files: 1_000, vectorWeight: 0.1 };

describe('the fusion of two rankings', () => {
  it('gives 1 to a file that is first in both, and lower scores to later ones', () => {
    const fused = fuseRankings(files(0, 20), files(0, 20), all);
    expect(fused[0]).toMatchObject({ fileId: 'file 0', score: 1 });
    expect(orderOf(fused)).toStrictEqual(orderOf(files(0, 20)));
    for (const [position, { score }] of fused.entries())
      expect(score).toBeLessThanOrEqual(fused[position - 1]?.score ?? 1);
  });

  it('raises a file that both find over one that only text finds, when the rankings agree', () => {
    const [first, second, ...others] = files(0, 20);
    if (!first || !second) throw new Error('no files');
    const fused = fuseRankings([first, second, ...others], [second, ...others], all);
    expect(orderOf(fused).slice(0, 2)).toStrictEqual(['file 1', 'file 2']);
  });

  it('raises a file that only the vectors find the more, the higher their weight', () => {
    const [onlyByVector, ...shared] = files(0, 11);
    if (!onlyByVector) throw new Error('no files');
    const texts = [...shared, ...files(20, 30)];
    const rankOf = (vectorWeight: number) =>
      orderOf(fuseRankings(texts, [onlyByVector, ...shared], { ...all, vectorWeight })).indexOf('file 0');
    expect(rankOf(1)).toBeLessThan(rankOf(0.1));
  });

  it('keeps the order of text when the rankings agree no more than by chance', () => {
    const fused = fuseRankings(files(0, 100), files(500, 600), all);
    expect(orderOf(fused)).toStrictEqual([...orderOf(files(0, 100)), ...orderOf(files(500, 600))]);
    const reversed = files(0, 40).toReversed();
    expect(orderOf(fuseRankings(files(0, 40), reversed, { ...all, files: 40 })).slice(0, 5)).toStrictEqual(
      orderOf(files(0, 5)),
    );
  });

  it('keeps the order of text’s first ten when vectors that hardly agree put the tenth first', () => {
    const texts = files(0, 20);
    const fused = fuseRankings(texts, [...files(9, 10), ...files(500, 599)], all);
    expect(orderOf(fused).slice(0, 10)).toStrictEqual(orderOf(files(0, 10)));
  });

  it('returns the vectors’ ranking when text finds nothing, and text’s when there are no vectors', () => {
    expect(orderOf(fuseRankings([], files(0, 5), all))).toStrictEqual(orderOf(files(0, 5)));
    expect(orderOf(fuseRankings(files(0, 5), [], all))).toStrictEqual(orderOf(files(0, 5)));
    expect(fuseRankings([], [], all)).toStrictEqual([]);
  });

  it('names what each ranking found', () => {
    const [shared, byText, byVector] = files(0, 3);
    if (!shared || !byText || !byVector) throw new Error('no files');
    const fused = fuseRankings([shared, byText], [shared, byVector], all);
    const found = fused.map(({ fileId, text, vector }) => [fileId, text?.fileId, vector?.fileId]);
    expect(found).toContainEqual(['file 0', 'file 0', 'file 0']);
    expect(found).toContainEqual(['file 1', 'file 1', undefined]);
    expect(found).toContainEqual(['file 2', undefined, 'file 2']);
  });
});
