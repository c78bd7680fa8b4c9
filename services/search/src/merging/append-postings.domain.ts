// Appends postings to the blocks of many terms: the last block of a term is filled first, then new blocks begin.
import { PostingCursor, PostingWriter, STRIDE, type PostingList } from '../postings/domain/postings.js';

/** A row with this many postings has about 2.5 KB. */
export const POSTINGS_PER_BLOCK_MAX = 512;

export interface Block {
  term: string;
  first: number;
  last: number;
  count: number;
  data: string;
}

export type BlockEnd = Pick<Block, 'term' | 'first' | 'last' | 'count'>;

/** Splits postings into blocks. */
export class BlockSplitter {
  readonly blocks: Block[] = [];
  private writer: PostingWriter | null = null;
  private first = 0;
  private room = 0;

  constructor(private readonly term: string) {}

  /** Adds the next postings to a block that is stored already. `blocks` then contains only what was added to it. */
  continue({ first, last, count }: BlockEnd): void {
    this.first = first;
    this.writer = new PostingWriter(last);
    this.room = POSTINGS_PER_BLOCK_MAX - count;
  }

  addAll(cursor: PostingCursor): void {
    for (; cursor.number < Number.POSITIVE_INFINITY; cursor.advance()) this.add(cursor);
  }

  add(posting: { number: number; place: number; repeats: number; length: number }): void {
    if (this.room <= 0) {
      this.flush();
      this.first = posting.number;
      this.writer = new PostingWriter(posting.number);
      this.room = POSTINGS_PER_BLOCK_MAX;
    }
    this.writer?.add(posting);
    this.room--;
  }

  flush(): void {
    const { writer, term, first } = this;
    if (writer && writer.count > 0) {
      this.blocks.push({ term, first, last: writer.last, count: writer.count, data: writer.data });
    }
    this.writer = null;
    this.room = 0;
  }
}

/** Returns what to append to the given last blocks, and which blocks to insert. */
export function appendPostings(
  listsByTerm: ReadonlyMap<string, readonly PostingList[]>,
  lastBlocks: readonly BlockEnd[],
): { extended: Block[]; inserted: Block[] } {
  const lastByTerm = new Map(lastBlocks.map((block) => [block.term, block]));
  const scratch = new Float64Array(POSTINGS_PER_BLOCK_MAX * STRIDE);
  const extended: Block[] = [];
  const inserted: Block[] = [];
  for (const [term, lists] of listsByTerm) {
    const splitter = new BlockSplitter(term);
    const last = lastByTerm.get(term);
    if (last && last.count < POSTINGS_PER_BLOCK_MAX) splitter.continue(last);
    splitter.addAll(new PostingCursor(lists, scratch));
    splitter.flush();
    for (const block of splitter.blocks) (block.first === last?.first ? extended : inserted).push(block);
  }
  return { extended, inserted };
}
