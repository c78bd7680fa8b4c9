// Drops the postings of removed passages from blocks, and repacks the remaining postings of each term.
import { BlockSplitter, type Block } from './append-postings.domain.js';
import type { NumberSet } from '../postings/domain/number-set.js';
import { PostingCursor } from '../postings/domain/postings.js';

/** The blocks must be ordered by term and number. Blocks of a term without removed passages stay unchanged. */
export function purgeBlocks(blocks: readonly Block[], removed: NumberSet) {
  const [deleted, inserted]: [Block[], Block[]] = [[], []];
  for (let start = 0, end = 0; start < blocks.length; start = end) {
    const term = blocks[start]?.term ?? '';
    while (end < blocks.length && blocks[end]?.term === term) end++;
    const ofTerm = blocks.slice(start, end);
    const packed = pack(term, ofTerm, removed);
    const count = (some: readonly Block[]) => some.reduce((sum, block) => sum + block.count, 0);
    if (count(packed) === count(ofTerm)) continue;
    deleted.push(...ofTerm);
    inserted.push(...packed);
  }
  return { deleted, inserted };
}

function pack(term: string, blocks: readonly Block[], removed: NumberSet): Block[] {
  const splitter = new BlockSplitter(term);
  const cursor = new PostingCursor(blocks);
  for (; cursor.number < Number.POSITIVE_INFINITY; cursor.advance()) {
    if (!removed.has(cursor.number)) splitter.add(cursor);
  }
  splitter.flush();
  return splitter.blocks;
}
