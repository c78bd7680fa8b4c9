/** Groups texts of similar length, so that little is computed for padding, and so that a batch needs bounded memory. */
import type { Tokens } from './text-encoder.js';

/** Returns the positions of the texts of each batch. `tokensMax` bounds a batch with its padding. */
export function batchByLength(texts: readonly Pick<Tokens, 'ids'>[], tokensMax: number): number[][] {
  const lengthOf = (position: number) => texts[position]?.ids.length ?? 0;
  const positions = texts.map((_, position) => position).toSorted((one, other) => lengthOf(one) - lengthOf(other));
  const batches: number[][] = [];
  for (const position of positions) {
    const last = batches.at(-1);
    if (last && (last.length + 1) * lengthOf(position) <= tokensMax) last.push(position);
    else batches.push([position]);
  }
  return batches;
}
