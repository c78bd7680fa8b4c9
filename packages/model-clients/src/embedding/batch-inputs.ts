export interface BatchLimits {
  /** The maximum number of texts in a request. */
  inputsMax: number;
  /** The maximum number of characters in a request. A longer text gets a request of its own. */
  charactersMax: number;
}

/** Groups items, in order, into requests of allowed size. Keeps one group in memory at a time. */
export function* batchInputs<Item>(
  items: Iterable<Item>,
  textOf: (item: Item) => string,
  { inputsMax, charactersMax }: BatchLimits,
): Generator<Item[]> {
  let batch: Item[] = [];
  let characters = 0;
  for (const item of items) {
    const { length } = textOf(item);
    if (batch.length > 0 && (batch.length >= inputsMax || characters + length > charactersMax)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}
