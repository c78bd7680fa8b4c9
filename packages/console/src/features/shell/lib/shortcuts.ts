// Keyboard shortcuts as sequences of keys: `g f`, `?`.

export interface Shortcut {
  /** Keys in order, separated by blanks. */
  keys: string;
  does: string;
}

/** A second key counts for this long. */
const SEQUENCE_MS = 1_200;

/** Remembers the first key of a sequence. */
export class ShortcutReader {
  #before: { key: string; at: number } | null = null;

  constructor(private readonly known: readonly Shortcut[]) {}

  /** Returns the keys of the shortcut that this key completes, or null. */
  read(key: string, at: number): string | null {
    const before = this.#before && at - this.#before.at <= SEQUENCE_MS ? this.#before.key : null;
    const found = [before === null ? null : `${before} ${key}`, key].find((keys) =>
      this.known.some((shortcut) => shortcut.keys === keys),
    );
    const isFirst = this.known.some(({ keys }) => keys.startsWith(`${key} `));
    this.#before = found === undefined && isFirst ? { key, at } : null;
    return found ?? null;
  }
}

interface KeyTarget {
  tagName: string;
  isContentEditable?: boolean;
  /** Of an input. */
  type?: string;
}

/** Whether keys typed into the element are text. */
export const takesText = ({ tagName, isContentEditable = false, type }: KeyTarget): boolean =>
  isContentEditable || (/^(?:INPUT|TEXTAREA|SELECT)$/.test(tagName) && type !== 'checkbox');
