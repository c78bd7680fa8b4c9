// The ranges of keys of a listing in the order of UTF-8. Each has its own checkpoint, so several can be listed at a time. The listing is
// complete when each of them is.
import { utf8Order } from '@kiln/storage';

export interface ListingRange {
  /** The keys after this one belong to the range. Empty: from the first key on. */
  after: string;
  /** The last key that may belong to it. Null: to the end of the bucket. */
  upTo: string | null;
  /** The last key of its committed pages. Null before the first. */
  position: string | null;
  /** The provider's token for the page after them. Null before the first page and after the last. */
  cursor: string | null;
  listed: boolean;
}

/** The most ranges of a listing. More than are listed at a time, because their sizes differ. */
const RANGES_MAX = 32;

export const rangeToEnd = (position: string | null, cursor: string | null): ListingRange => ({
  after: '',
  upTo: null,
  position,
  cursor,
  listed: false,
});

/** Splits what is left of a range at some of the keys, evenly. Returns one range when no key lies in it. */
export function splitRange(range: ListingRange, keys: readonly string[]): ListingRange[] {
  const { upTo } = range;
  const start = range.position ?? range.after;
  const isInside = (key: string) => utf8Order(key, start) > 0 && (upTo === null || utf8Order(key, upTo) < 0);
  const inside = [...new Set(keys)].filter(isInside).toSorted(utf8Order);
  const ends = spread(inside, RANGES_MAX - 1);
  const later = ends.map((after, at) => ({ ...rangeToEnd(null, null), after, upTo: ends[at + 1] ?? upTo }));
  return [{ ...range, upTo: ends[0] ?? upTo }, ...later];
}

/** At most `countMax` of the keys, which divide them into parts of equal size. */
function spread(keys: readonly string[], countMax: number): readonly string[] {
  if (keys.length <= countMax) return keys;
  const step = keys.length / (countMax + 1);
  const places = Array.from({ length: countMax }, (_, at) => Math.floor((at + 1) * step));
  return places.flatMap((place) => keys.slice(place, place + 1));
}

/** Whether a path is after the first key, and at most the last one. */
export const isInRange = (path: string, { after, upTo }: { after: string; upTo: string | null }): boolean =>
  utf8Order(path, after) > 0 && (upTo === null || utf8Order(path, upTo) <= 0);

/** The part of a page that belongs to a range. Its `next` is null when the page reaches the end of the range, because keys are listed in order. */
export function pageOfRange<Listed extends { key: string }>(
  page: { objects: Listed[]; next: string | null },
  { upTo }: ListingRange,
): { objects: Listed[]; next: string | null } {
  if (upTo === null) return page;
  const end = page.objects.findIndex(({ key }) => key.isWellFormed() && utf8Order(key, upTo) > 0);
  return end < 0 ? page : { objects: page.objects.slice(0, end), next: null };
}
