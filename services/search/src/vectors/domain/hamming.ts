// Sign codes: one bit for each number of a vector, 1 when it is positive. Vectors in similar directions have few different bits: the share of
// different bits estimates the angle (Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002).

const WORD_BITS = 32;

export const wordsOf = (dimensions: number): number => Math.ceil(dimensions / WORD_BITS);

/** Writes the signs of `length` numbers from `from` on into the words from `at` on. */
export function writeSigns(
  numbers: Int8Array | Float32Array,
  from: number,
  length: number,
  words: Int32Array,
  at: number,
): void {
  for (let place = 0; place < length; place++) {
    if ((numbers[from + place] ?? 0) <= 0) continue;
    const word = at + (place >> 5);
    words[word] = (words[word] ?? 0) | (1 << (place & 31));
  }
}

/** How many bits differ between `query` and the words from `at` on. */
export function hammingDistance(query: Int32Array, words: Int32Array, at: number): number {
  let distance = 0;
  for (let place = 0; place < query.length; place++) {
    // Counts the bits of 32 at once (Warren, "Hacker's Delight", section 5-1).
    let bits = (words[at + place] ?? 0) ^ (query[place] ?? 0);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    distance += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return distance;
}
