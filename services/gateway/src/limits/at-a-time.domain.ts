// Work on many items: a few at a time, or in parts.

/** Calls `work` for each item, at most `count` at a time. Returns the results in the order of the items. */
export async function mapAtATime<Item, Result>(
  count: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // All loops take from the same iterator.
  const queue = items.entries();
  const takeNext = async () => {
    for (const [at, item] of queue) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: count }, takeNext));
  return results;
}

export const partsOf = <Item>(items: readonly Item[], sizeMax: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / sizeMax) }, (_, at) => items.slice(at * sizeMax, (at + 1) * sizeMax));
