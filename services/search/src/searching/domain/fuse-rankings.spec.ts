import { describe, expect, it } from '@jest/globals';
import { fuseRankings } from './fuse-rankings.js';

const texts = (scores: Record<string, number>) =>
  new Map(Object.entries(scores).map(([fileId, score]) => [fileId, { fileId, score }]));
const vectors = (deviations: Record<string, number>) =>
  new Map(Object.entries(deviations).map(([fileId, deviation]) => [fileId, { fileId, deviation }]));
const orderOf = (
  fused: ReturnType<typeof fuseRankings<{ fileId: string; score: number }, { fileId: string; deviation: number }>>,
) => fused.map(({ text, vector }) => text?.fileId ?? vector?.fileId);

describe('the fusion of scores by words and by meaning', () => {
  it('gives the first place to a file that only vectors find, when it means the query and the others share a common word', () => {
    const common = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`policy ${at}`, 0.08 - at / 10_000]));
    const weak = Object.fromEntries(Object.keys(common).map((name) => [name, 2.5]));
    const fused = fuseRankings(texts(common), vectors({ ...weak, 'annual leave': 6 }), 0.3);
    expect(orderOf(fused)[0]).toBe('annual leave');
  });

  it('keeps the order of text when no cosine is surprising', () => {
    const found = texts({ a: 0.4, b: 0.3, c: 0.1 });
    expect(orderOf(fuseRankings(found, vectors({ c: 3, x: 2.9, b: 1 }), 0.3))).toStrictEqual(['a', 'b', 'c', 'x']);
  });

  it('ranks a file that both find before those that one of them finds as well', () => {
    const fused = fuseRankings(texts({ a: 0.4, both: 0.4 }), vectors({ both: 6, b: 6 }), 0.3);
    expect(orderOf(fused)).toStrictEqual(['both', 'a', 'b']);
  });

  it('ranks by text alone with the weight 0, and by vectors alone with the weight 1', () => {
    const found = [texts({ a: 0.9, b: 0.1 }), vectors({ b: 12, c: 11, a: 1 })] as const;
    expect(orderOf(fuseRankings(...found, 0)).slice(0, 2)).toStrictEqual(['a', 'b']);
    expect(orderOf(fuseRankings(...found, 1))).toStrictEqual(['b', 'c', 'a']);
  });

  it('has scores from 0 to 1', () => {
    const fused = fuseRankings(texts({ a: 1, b: 0 }), vectors({ a: 50, c: -50 }), 0.3);
    expect(fused.filter(({ score }) => score < 0 || score > 1)).toStrictEqual([]);
    expect(fused[0]?.score).toBe(1);
  });

  it('names what each ranking found, and finds nothing in nothing', () => {
    const fused = fuseRankings(texts({ a: 0.5, b: 0.4 }), vectors({ b: 5, c: 4 }), 0.3);
    const found = fused.map(({ text, vector }) => [text?.fileId ?? null, vector?.fileId ?? null]);
    expect(found).toHaveLength(3);
    for (const pair of [
      ['a', null],
      ['b', 'b'],
      [null, 'c'],
    ])
      expect(found).toContainEqual(pair);
    expect(fuseRankings(texts({}), vectors({}), 0.3)).toStrictEqual([]);
  });
});
