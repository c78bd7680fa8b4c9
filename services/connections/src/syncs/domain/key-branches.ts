// Finds prefixes that divide the keys after a given key, where a listing has no folders to divide it at. Keys branch where their characters differ.

/** Returns the first key after the given string. Null: there is none. */
export type KeyAfter = (after: string) => Promise<string | null>;

/**
 * The prefixes of later branches, the outermost first: after `img-0042` under `img-` these are `img-1`, `img-2`, … and then `img-01`, ….
 * Ends when it has found `enough`, or has sent `requestsMax` requests.
 */
export async function laterBranches(
  key: string,
  root: string,
  { enough, requestsMax }: { enough: number; requestsMax: number },
  keyAfter: KeyAfter,
): Promise<string[]> {
  const characters = Array.from(key.slice(root.length));
  const stemOf = (depth: number) => root + characters.slice(0, depth).join('');
  const found: string[] = [];
  let requests = 0;
  const isDone = () => found.length >= enough || requests >= requestsMax;
  /** The first key after the branch, if it has the stem. */
  const keyBeside = async (stem: string, branch: string, at: string): Promise<string[] | null> => {
    requests++;
    const later = await keyAfter(branch + successor(at));
    return later?.startsWith(stem) === true ? Array.from(later.slice(root.length)) : null;
  };

  /** Binary search for the smallest depth, from the given one on, at which a later key branches off. */
  const nextDepth = async (from: number): Promise<number> => {
    let [low, high] = [from, characters.length];
    while (low < high && !isDone()) {
      const middle = Math.floor((low + high) / 2);
      const later = await keyBeside(stemOf(from), stemOf(middle), characters[middle] ?? '');
      if (later === null) low = middle + 1;
      else high = later.findIndex((character, depth) => character !== characters[depth]);
    }
    return high;
  };

  for (let depth = await nextDepth(0); depth < characters.length && !isDone(); depth = await nextDepth(depth + 1)) {
    const stem = stemOf(depth);
    let branch = characters[depth];
    while (branch !== undefined && !isDone()) {
      branch = (await keyBeside(stem, stem, branch))?.[depth];
      if (branch !== undefined) found.push(stem + branch);
    }
  }
  return found;
}

/** The next character in the order of UTF-8: the keys that begin with the given one lie before it. The last character has none. */
function successor(character: string): string {
  const point = (character.codePointAt(0) ?? 0) + 1;
  const isSurrogate = point >= 0xd8_00 && point <= 0xdf_ff;
  return isSurrogate ? '\u{e000}' : String.fromCodePoint(Math.min(point, 0x10_ff_ff));
}
