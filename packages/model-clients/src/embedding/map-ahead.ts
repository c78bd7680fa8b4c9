/**
 * Maps items in order. While one result is awaited, up to `ahead` later ones are in progress. The first failure, or an early end
 * of the iteration, aborts them.
 */
export async function* mapAhead<Item, Result>(
  items: Iterable<Item>,
  ahead: number,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): AsyncGenerator<Result> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const running: Promise<Result>[] = [];
  const iterator = items[Symbol.iterator]();
  const begin = (): void => {
    const next = iterator.next();
    if (next.done === true) return;
    const result = work(next.value, both);
    // It is awaited later. Until then, a failure must not count as an unhandled rejection.
    result.catch(() => {});
    running.push(result);
  };
  try {
    for (let count = 0; count < ahead; count++) begin();
    for (let first = running.shift(); first !== undefined; first = running.shift()) {
      yield await first;
      begin();
    }
  } finally {
    stop.abort(new Error('the results are no longer wanted'));
    iterator.return?.();
    await Promise.allSettled(running);
  }
}
