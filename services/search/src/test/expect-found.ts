import { expect } from '@jest/globals';

/** Expects the same files of each query while they are in the tail, and after they are merged. */
export async function expectInTailAndMerged(
  expected: Record<string, string[]>,
  found: (query: string) => Promise<Set<string>>,
  merge: () => Promise<void>,
): Promise<void> {
  for (const merged of [false, true]) {
    if (merged) await merge();
    for (const [query, ids] of Object.entries(expected))
      expect([query, merged, await found(query)]).toStrictEqual([query, merged, new Set(ids)]);
  }
}
