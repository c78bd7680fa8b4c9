// Runs many requests with limited concurrency.

export async function inParallel<T>(
  items: readonly T[],
  inFlight: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) await run(items[at] as T);
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, items.length) }, worker));
}
