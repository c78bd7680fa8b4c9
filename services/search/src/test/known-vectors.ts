// A provider of embeddings whose vectors are known: a spec sets the vector of a text, or it is made from the words of the text.
import { unavailable } from '@kiln/contracts';
import { embeddingOf } from '@kiln/testing';

export const encodeVector = (vector: readonly number[]): string =>
  Buffer.from(Float32Array.from(vector).buffer).toString('base64');

export class KnownVectors {
  readonly dimensions = 64;
  isThere = true;
  /** When set, no text is embedded. */
  isDown = false;
  /** Models that embed no text. */
  readonly downModels = new Set<string>();
  /** The embedded texts, with their model. */
  readonly asked: string[] = [];
  private readonly vectors = new Map<string, readonly number[]>();

  set(text: string, vector: readonly number[]): void {
    this.vectors.set(text, vector);
  }

  of(text: string): readonly number[] {
    return this.vectors.get(text) ?? embeddingOf(text, this.dimensions);
  }

  isAvailable(): Promise<boolean> {
    return Promise.resolve(this.isThere);
  }

  embed(text: string, model: string): Promise<Float32Array> {
    this.asked.push(`${model}: ${text}`);
    if (this.isDown || this.downModels.has(model)) return Promise.reject(unavailable('The provider of embeddings'));
    return Promise.resolve(Float32Array.from(this.of(text)));
  }
}
