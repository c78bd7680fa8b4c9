export interface BatchLimits {
  /** Texts in one request. */
  inputsMax: number;
  /** Characters in one request, all texts together; a text that alone is longer goes alone. */
  charactersMax: number;
}

/** Groups items, in order, into requests that a provider takes; one group is held at a time. */
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
