/**
 * Merges ranked lists whose scores are not comparable: all first results, then all second ones. Of results with the same rank, the one with
 * the higher score comes first.
 */
export function mergeByRank<Ranked extends { score: number }>(lists: readonly (readonly Ranked[])[]): Ranked[] {
  const ranked = lists.flatMap((list) => list.map((result, rank) => ({ result, rank })));
  ranked.sort((left, right) => left.rank - right.rank || right.result.score - left.result.score);
  return ranked.map(({ result }) => result);
}
