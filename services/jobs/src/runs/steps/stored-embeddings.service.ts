// The embeddings of a file as a later step needs them: the vector of each chunk, in order. A few are kept in memory. Others are read back from
// the variant.
import { encodeVector, readEmbeddings, type StoredEmbeddings } from '@kiln/chunks/embeddings-variant';
import type { ObjectStore } from '@kiln/storage';

const HELD_CHARACTERS_MAX = 2_097_152;

/** Collects vectors as they arrive, as long as they are few. */
export class HeldVectors {
  private held: string[] = [];
  private characters = 0;

  add(vectors: readonly (readonly number[])[]): void {
    for (const vector of vectors) {
      if (this.characters > HELD_CHARACTERS_MAX) return;
      const encoded = encodeVector(vector);
      this.characters += encoded.length;
      this.held.push(encoded);
    }
    if (this.characters > HELD_CHARACTERS_MAX) this.held = [];
  }

  /** Null when they were too many. */
  get all(): readonly string[] | null {
    return this.characters > HELD_CHARACTERS_MAX ? null : this.held;
  }
}

export const openEmbeddings = (
  objects: Pick<ObjectStore, 'get'>,
  key: string,
  signal: AbortSignal,
): Promise<StoredEmbeddings> => readEmbeddings(async () => (await objects.get(key, { signal })).body);
