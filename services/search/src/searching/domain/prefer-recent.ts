// Prefers newer files: a share of each score halves with every half-life since the file was created.
import type { SearchInput } from '@kiln/contracts';
import type { FoundChunk } from './found.js';

type Recency = NonNullable<SearchInput<'search'>['recency']>;

const DAY_MS = 86_400_000;

/** Returns the chunks in their new order. Files without a time, which are gone, count as old. `now` is in milliseconds. */
export function preferRecent(
  chunks: readonly FoundChunk[],
  createdAt: ReadonlyMap<string, string>,
  { half_life_days: halfLifeDays, weight }: Recency,
  now: number,
): FoundChunk[] {
  const fresh = (fileId: string) => {
    const created = createdAt.get(fileId);
    if (created === undefined) return 0;
    return 0.5 ** (Math.max(0, now - Date.parse(`${created.replace(' ', 'T')}Z`)) / (halfLifeDays * DAY_MS));
  };
  const aged = chunks.map((chunk) => ({ ...chunk, score: chunk.score * (1 - weight + weight * fresh(chunk.fileId)) }));
  return aged.toSorted((left, right) => right.score - left.score);
}
