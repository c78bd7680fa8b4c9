// Up to 8,192 vectors in arrays of a fixed size.
import { SCALE_BYTES } from '../domain/vector-codes.js';
import { hammingDistance, wordsOf, writeSigns } from '../domain/hamming.js';

export const VECTORS_PER_SEGMENT = 8_192;

export class CodeSegment {
  length = 0;
  /** For each vector, the position of its file in the set. */
  readonly owners = new Uint32Array(VECTORS_PER_SEGMENT);
  /** For each vector, the index of its chunk. */
  readonly indexes = new Uint32Array(VECTORS_PER_SEGMENT);
  private readonly scales = new Float32Array(VECTORS_PER_SEGMENT);
  private readonly codes: Int8Array;
  private readonly signs: Int32Array;
  private readonly words: number;

  constructor(private readonly dimensions: number) {
    this.words = wordsOf(dimensions);
    this.codes = new Int8Array(VECTORS_PER_SEGMENT * dimensions);
    this.signs = new Int32Array(VECTORS_PER_SEGMENT * this.words);
  }

  static bytesOf(dimensions: number): number {
    return VECTORS_PER_SEGMENT * (12 + dimensions + 4 * wordsOf(dimensions));
  }

  get isFull(): boolean {
    return this.length === VECTORS_PER_SEGMENT;
  }

  /** `coded`: a vector as stored, see domain/vector-codes.ts. */
  add(owner: number, index: number, coded: DataView): void {
    const { dimensions, length } = this;
    this.scales[length] = coded.getFloat32(0, true);
    const from = length * dimensions;
    const numbers = new Int8Array(coded.buffer, coded.byteOffset + SCALE_BYTES, dimensions);
    this.codes.set(numbers, from);
    writeSigns(this.codes, from, dimensions, this.signs, length * this.words);
    this.owners[length] = owner;
    this.indexes[length] = index;
    this.length++;
  }

  /** Copies a vector of another segment. */
  copy(from: CodeSegment, at: number, owner: number): void {
    const { dimensions, words, length } = this;
    this.scales[length] = from.scales[at] ?? 0;
    this.codes.set(from.codes.subarray(at * dimensions, (at + 1) * dimensions), length * dimensions);
    this.signs.set(from.signs.subarray(at * words, (at + 1) * words), length * words);
    this.owners[length] = owner;
    this.indexes[length] = from.indexes[at] ?? 0;
    this.length++;
  }

  /** How many signs differ from those of the query. */
  distance(at: number, query: Int32Array): number {
    return hammingDistance(query, this.signs, at * this.words);
  }

  /** The cosine with the query, computed with one byte for each number of the vector. */
  score(at: number, query: Float32Array): number {
    const { codes, dimensions } = this;
    const from = at * dimensions;
    let sum = 0;
    for (let place = 0; place < dimensions; place++) sum += (query[place] ?? 0) * (codes[from + place] ?? 0);
    return sum * (this.scales[at] ?? 0);
  }
}
