/** Builds nested lists from items that state their level, as slides and word processors write them. */
import { append, element, elementWith, type HtmlContent } from './build-html.js';
import type { HtmlElement, HtmlNode } from './html-node.js';

export interface ListItem {
  kind: 'ul' | 'ol';
  /** From 0 */
  level: number;
  /** The number that the first item of a list states. */
  start: string | null;
  content: readonly HtmlContent[];
}

interface OpenList {
  level: number;
  list: HtmlElement;
  lastItem: HtmlElement;
}

export class NestedLists {
  private open: readonly OpenList[] = [];

  /** Lists are added to `blocks`. */
  constructor(private readonly blocks: HtmlNode[]) {}

  /** A block that is no item. */
  block(block: HtmlNode): void {
    this.open = [];
    this.blocks.push(block);
  }

  item({ kind, level, start, content }: ListItem): void {
    const around = this.open.filter((list) => list.level <= level);
    const last = around.at(-1);
    const item = element('li', content);
    if (last !== undefined && last.level === level && last.list.name === kind) {
      append(last.list, [item]);
      this.open = [...around.slice(0, -1), { ...last, lastItem: item }];
      return;
    }
    const outer = around.filter((list) => list.level < level);
    const list = elementWith(kind, { start: kind === 'ol' ? start : null }, [item]);
    const parent = outer.at(-1);
    if (parent === undefined) this.blocks.push(list);
    else append(parent.lastItem, [list]);
    this.open = [...outer, { level, list, lastItem: item }];
  }
}
