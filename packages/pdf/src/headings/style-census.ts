/** Counts the letters of each style, to know the style of the running text. */
import type { Block } from '../layout/block.js';

export interface BodyStyle {
  size: number;
  isBold: boolean;
  isMono: boolean;
}

interface StyledText {
  size: number;
  letters: number;
  isBold: boolean;
  isMono: boolean;
}

/** Sizes are counted in steps of half a point. Print has no more steps than this. */
const sizesMax = 400;

export class StyleCensus {
  private readonly letters = new Map<string, { style: BodyStyle; count: number }>();

  add({ size, letters, isBold, isMono }: StyledText): void {
    const rounded = Math.min(Math.round(size * 2), sizesMax) / 2;
    const key = `${rounded} ${isBold} ${isMono}`;
    const entry = this.letters.get(key);
    if (entry === undefined) this.letters.set(key, { style: { size: rounded, isBold, isMono }, count: letters });
    else entry.count += letters;
  }

  addBlock(block: Block): void {
    if (block.kind === 'text') return this.add({ ...block, isMono: block.code !== null });
    const { rows, size } = block.table;
    // In documents that consist mostly of tables, the tables show the size of the text.
    const letters = rows.reduce((sum, row) => sum + row.reduce((count, cell) => count + cell.length, 0), 0) / 2;
    this.add({ size, letters, isBold: false, isMono: false });
  }

  /** The style of most letters. Null if the document has no letters. */
  body(): BodyStyle | null {
    let most: { style: BodyStyle; count: number } | null = null;
    for (const entry of this.letters.values()) if (most === null || entry.count > most.count) most = entry;
    return most?.style ?? null;
  }
}
