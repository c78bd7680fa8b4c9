// Finds the pieces of a page in its markdown. Only letters and digits are compared: marks, line ends, hyphens and the addresses of links differ.
// A piece is looked for near the end of the one before. Cells of a table are written in another order than their lines stand, so a piece may
// also be before it, but never where another piece was found.
import type { PagePiece, Region } from '../layout/page-pieces.js';

/** How far from the expected place a piece is looked for, in letters. */
const DISTANCE_MAX = 4_000;
/** How many places that are taken are tried in each direction. */
const TRIES_MAX = 50;
const ADDRESS = /\]\((?:[^()\s]|\([^()\s]*\))*\)/g;
const LETTERS = /[\p{L}\p{N}]+/gu;
const LETTERS_ONLY = /[^\p{L}\p{N}]+/gu;

/** A line of text, or a part of one: where it begins and ends in the markdown, and its region. */
export type PlacedLine = readonly [start: number, end: number, ...Region];

/** Pieces that are not found are left out. The result is ordered by its starts, which are counted from `offset`. */
export function placePieces(markdown: string, pieces: readonly PagePiece[], offset: number): PlacedLine[] {
  const letters = new Letters(markdown);
  const placed: PlacedLine[] = [];
  for (const { text, region } of pieces) {
    const place = letters.take(text.replace(LETTERS_ONLY, ''));
    if (place) placed.push([offset + place.start, offset + place.end, ...region]);
  }
  return placed.toSorted((one, other) => one[0] - other[0]);
}

class Letters {
  /** The letters and digits of the markdown. */
  private readonly text: string;
  /** For each UTF-16 unit of `text`, where it stands in the markdown. */
  private readonly offsets: Uint32Array;
  private readonly taken: Uint8Array;
  private expected = 0;

  constructor(markdown: string) {
    const masked = markdown.replace(ADDRESS, (address) => ' '.repeat(address.length));
    const offsets = new Uint32Array(masked.length);
    const runs: string[] = [];
    let length = 0;
    for (const { 0: run, index } of masked.matchAll(LETTERS)) {
      runs.push(run);
      for (let unit = 0; unit < run.length; unit++) offsets[length++] = index + unit;
    }
    this.text = runs.join('');
    this.offsets = offsets;
    this.taken = new Uint8Array(length);
  }

  take(sought: string): { start: number; end: number } | null {
    const at = sought === '' ? -1 : this.find(sought);
    if (at < 0) return null;
    const end = at + sought.length;
    this.taken.fill(1, at, end);
    this.expected = end;
    return { start: this.offsets[at] ?? 0, end: (this.offsets[end - 1] ?? 0) + 1 };
  }

  /** The free place that is nearest to the expected one. */
  private find(sought: string): number {
    const from = Math.max(this.expected - DISTANCE_MAX, 0);
    const near = this.text.slice(from, this.expected + DISTANCE_MAX + sought.length);
    const isFree = (at: number) => this.isFree(from + at, sought.length);
    const expected = this.expected - from;
    let after = near.indexOf(sought, expected);
    for (let tries = 0; after >= 0 && !isFree(after); tries++) {
      after = tries < TRIES_MAX ? near.indexOf(sought, after + 1) : -1;
    }
    if (after === expected) return from + after;
    let before = near.lastIndexOf(sought, expected);
    for (let tries = 0; before >= 0 && !isFree(before); tries++) {
      before = tries < TRIES_MAX && before > 0 ? near.lastIndexOf(sought, before - 1) : -1;
    }
    if (before < 0 || after < 0) return Math.max(before, after) < 0 ? -1 : from + Math.max(before, after);
    return from + (after - expected <= expected - before ? after : before);
  }

  private isFree(at: number, length: number): boolean {
    return this.taken[at] === 0 && this.taken[at + length - 1] === 0;
  }
}
