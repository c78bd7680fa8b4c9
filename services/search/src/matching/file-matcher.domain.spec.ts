import { describe, expect, it } from '@jest/globals';
import { randomNumbers } from '@kiln/testing/seed';
import { PostingCursor, PostingWriter, type PostingList } from '../postings/domain/postings.js';
import { FileMatcher } from './file-matcher.domain.js';

const FILES = 40;
const TERMS = 5;
const POSTINGS_PER_BLOCK = 3;

interface Passage {
  number: number;
  place: number;
}

/** The postings of a term, in blocks. */
function blocksOf(passages: readonly Passage[]): PostingList[] {
  const blocks: PostingList[] = [];
  for (let at = 0; at < passages.length; at += POSTINGS_PER_BLOCK) {
    const some = passages.slice(at, at + POSTINGS_PER_BLOCK);
    const first = some[0]?.number ?? 0;
    const writer = new PostingWriter(first);
    for (const { number, place } of some) writer.add({ number, place, repeats: 1, length: 1 });
    blocks.push({ first, count: writer.count, data: writer.data });
  }
  return blocks;
}

/** Random passages of consecutive files, and the passages that have each term. */
function randomIndex(random: (below: number) => number) {
  const passages: Passage[] = [];
  for (let file = 0; file < FILES; file++)
    for (let place = 0, count = 1 + random(30); place < count; place++)
      passages.push({ number: passages.length, place });
  const terms = Array.from({ length: TERMS }, () => {
    const rarity = 1 + random(12);
    return passages.filter(() => random(rarity) === 0);
  });
  return { passages, terms };
}

/** Matches files whose postings are read in ranges of so many numbers, as blocks that begin there. */
function matchInRanges(groups: readonly (readonly (readonly Passage[])[])[], numbers: number, end: number): number[] {
  const blocks = groups.map((group) => group.map(blocksOf));
  const cursors = groups.map((group) => group.map(() => new PostingCursor([])));
  const matcher = new FileMatcher(cursors);
  const found: number[] = [];
  for (let from = 0; from < end; from += numbers) {
    for (const [at, group] of cursors.entries())
      for (const [term, cursor] of group.entries()) {
        const all = blocks[at]?.[term] ?? [];
        cursor.append(all.filter(({ first }) => first >= from && first < from + numbers));
      }
    const isLast = from + numbers >= end;
    for (;;) {
      const { file, isOver } = matcher.step(isLast ? Number.POSITIVE_INFINITY : from + numbers);
      if (isOver) break;
      if (file !== null) found.push(file);
    }
  }
  return found;
}

describe('the files that have a posting of every group', () => {
  it('are found once each, in their order, in whatever ranges postings are read', () => {
    const random = randomNumbers(11);
    let matches = 0;
    for (let round = 0; round < 150; round++) {
      const { passages, terms } = randomIndex(random);
      const groups = Array.from({ length: 1 + random(3) }, () =>
        Array.from({ length: 1 + random(2) }, () => terms[random(TERMS)] ?? []),
      );
      const filesOf = (group: readonly (readonly Passage[])[]) =>
        new Set(group.flat().map(({ number, place }) => number - place));
      const expected = passages
        .filter(({ number, place }) => place === 0 && groups.every((group) => filesOf(group).has(number)))
        .map(({ number }) => number);
      matches += expected.length;
      for (const numbers of [7, 64, passages.length])
        expect(matchInRanges(groups, numbers, passages.length)).toStrictEqual(expected);
    }
    expect(matches).toBeGreaterThan(400);
  });
});
