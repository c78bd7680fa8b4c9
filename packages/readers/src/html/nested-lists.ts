/** Builds nested lists from items that state their level, as slides, word processors and pages of Office have them. */
import { append, elementWith, type HtmlContent } from './build-html.js';
import { childrenOf, elementsOf, type HtmlElement, type HtmlNode, link, unlink } from './html-node.js';

export interface ListItem {
  kind: 'ul' | 'ol';
  /** From 0 */
  level: number;
  /** The number that the first item of a list states. */
  start?: string | null;
  /** The number of this item. Without it, items count on. */
  value?: string | null;
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

  item({ kind, level, start = null, value = null, content }: ListItem): void {
    const around = this.open.filter((list) => list.level <= level);
    const last = around.at(-1);
    const item = elementWith('li', { value }, content);
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

  /** A block that belongs to the last item of a level. */
  continueItem(level: number, block: HtmlElement): void {
    const around = this.open.filter((list) => list.level <= level);
    const last = around.at(-1);
    if (last === undefined) return this.block(block);
    append(last.lastItem, [block]);
    this.open = around;
  }
}

/** Replaces the items of a tree by lists. `add` takes what an item holds. The tree can be deeper than the stack allows. */
export function nestItems(
  root: HtmlElement,
  isItem: (element: HtmlElement) => boolean,
  add: (item: HtmlElement, lists: NestedLists) => void,
): void {
  const waiting = [root];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    if (holds(parent, isItem)) nestChildren(parent, isItem, add);
    for (const child of elementsOf(parent)) waiting.push(child);
  }
}

function holds(parent: HtmlElement, isItem: (element: HtmlElement) => boolean): boolean {
  for (const child of elementsOf(parent)) if (isItem(child)) return true;
  return false;
}

function nestChildren(
  parent: HtmlElement,
  isItem: (element: HtmlElement) => boolean,
  add: (item: HtmlElement, lists: NestedLists) => void,
): void {
  const blocks: HtmlNode[] = [];
  const lists = new NestedLists(blocks);
  const nodes = [...childrenOf(parent)];
  for (const node of nodes) {
    unlink(node);
    if (node.kind === 'element' && isItem(node)) add(node, lists);
    else if (node.kind === 'text' && node.text.trim() === '') blocks.push(node);
    else lists.block(node);
  }
  for (const block of blocks) link(block, parent, null);
}

/** The children of an element, without it. */
export function contentOf(element: HtmlElement): HtmlNode[] {
  const content = [...childrenOf(element)];
  for (const node of content) unlink(node);
  return content;
}
