/** Writes items of lists, nested as they are indented on the page. */
import type { TextBlock } from '../layout/block.js';
import { listMark } from '../layout/list-mark.js';
import { isRightToLeft } from '../words/scripts.js';
import { escapeLineStart } from './escape-markdown.js';

/** Items that are indented by more than this, and less than the most, are nested. In multiples of the size. */
const [indentMin, indentMax] = [0.8, 6];

type Kind = 'bullets' | 'numbers';

interface Level {
  left: number;
  kind: Kind;
  /** The spaces before items of this level, and before what they contain. */
  indent: number;
  inner: number;
}

export interface WrittenItem {
  markdown: string;
  /** Whether the item belongs to the list of the item before. */
  continues: boolean;
}

export class ListItems {
  private levels: Level[] = [];
  private top = Infinity;

  /** The item of a block. Null for other text, which ends the list. */
  write(block: TextBlock): WrittenItem | null {
    // The mark may be escaped.
    const text = block.markdown.replace(/^\\(?=[*_-])/, '');
    const mark = listMark(text);
    if (mark === null) {
      this.end();
      return null;
    }
    const kind = mark.markdown === '-' ? 'bullets' : 'numbers';
    const continues = this.enter(block, kind);
    const level = this.levels.at(-1);
    const indent = level?.indent ?? 0;
    const inner = indent + mark.markdown.length + 1;
    if (level !== undefined) level.inner = inner;
    const lines = text
      .slice(mark.length)
      .split('\n')
      .map((line) => escapeLineStart(line.trim()));
    const markdown = `${' '.repeat(indent)}${mark.markdown} ${lines.join(`\n${' '.repeat(inner)}`)}`;
    return { markdown, continues };
  }

  end(): void {
    this.levels = [];
    this.top = Infinity;
  }

  /** Finds the level of an item. Returns whether it continues the list. */
  private enter({ left, top, size, markdown }: TextBlock, kind: Kind): boolean {
    // In the next column, positions cannot be compared. In a right-to-left text, items are aligned on the right.
    const isElsewhere = top < this.top || isRightToLeft([{ text: markdown }]);
    this.top = top;
    const root = this.levels[0];
    if (root === undefined || isElsewhere) {
      this.levels = [{ left, kind, indent: 0, inner: 0 }];
      return root?.kind === kind;
    }
    while (this.levels.length > 1 && left < (this.levels.at(-1)?.left ?? 0) - indentMin * size) this.levels.pop();
    const last = this.levels.at(-1) ?? root;
    const deeper = (left - last.left) / size;
    if (deeper > indentMin && deeper < indentMax) {
      this.levels.push({ left, kind, indent: last.inner, inner: 0 });
      return true;
    }
    const continues = last.kind === kind || this.levels.length > 1;
    Object.assign(last, { left, kind });
    return continues;
  }
}
