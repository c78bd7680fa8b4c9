/**
 * Converts the lists of Word and Outlook pages into those of HTML. Office writes each item as a paragraph whose style names the list and the
 * level (`mso-list:l0 level2 lfo1`), with the bullet or number as text.
 */
import { plainNumber } from '../numbering/list-counters.js';
import { levelsOfList } from '../numbering/list.js';
import { attribute, childrenOf, elementsOf, type HtmlElement, type HtmlNode, link, unlink } from './html-node.js';
import { type ListItem, NestedLists } from './nested-lists.js';

const itemStyle = /mso-list:\s*l\d+\s+level(\d)\s/i;
const labelStyle = /mso-list:\s*ignore/i;
/** The label is the first text of an item, within a few elements that set its font. */
const labelLevelsMax = 6;

/** Whether a page may have such lists. */
export const mayHaveOfficeLists = (markup: string): boolean => labelStyle.test(markup);

/** The tree can be deeper than the stack allows. */
export function convertOfficeLists(root: HtmlElement): void {
  const open = [root];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (hasItem(at)) convertItems(at);
    for (const child of elementsOf(at)) open.push(child);
  }
}

function hasItem(parent: HtmlElement): boolean {
  for (const child of elementsOf(parent)) if (levelOf(child) !== null) return true;
  return false;
}

function convertItems(parent: HtmlElement): void {
  const blocks: HtmlNode[] = [];
  const lists = new NestedLists(blocks);
  const nodes = [...childrenOf(parent)];
  for (const node of nodes) {
    unlink(node);
    const item = node.kind === 'element' ? itemOf(node) : null;
    if (item !== null) lists.item(item);
    else if (node.kind === 'text' && node.text.trim() === '') blocks.push(node);
    else lists.block(node);
  }
  for (const block of blocks) link(block, parent, null);
}

/** Null for other elements. A label that markdown cannot write (`a.`, `1.2`) stays text. */
function itemOf(paragraph: HtmlElement): ListItem | null {
  const level = levelOf(paragraph);
  const label = level === null ? null : labelOf(paragraph);
  if (level === null || label === null) return null;
  unlink(label);
  const text = textIn(label, labelLevelsMax).replace(/\s+/g, ' ').trim();
  const number = plainNumber(text);
  const content = [...childrenOf(paragraph)];
  for (const node of content) unlink(node);
  if (number !== null) return { kind: 'ol', level, start: String(number), content };
  const isBullet = /^.?$/u.test(text);
  return { kind: 'ul', level, start: null, content: isBullet ? content : [`${text} `, ...content] };
}

/** From 0 */
function levelOf({ name, attributes }: HtmlElement): number | null {
  const digit = name === 'p' ? itemStyle.exec(attributes.get('style') ?? '')?.[1] : undefined;
  return digit === undefined ? null : Math.min(Math.max(Number(digit), 1), levelsOfList) - 1;
}

function labelOf(paragraph: HtmlElement): HtmlElement | null {
  let at: HtmlNode | null = paragraph;
  for (let level = 0; level < labelLevelsMax && at?.kind === 'element'; level++) {
    if (labelStyle.test(attribute(at, 'style') ?? '')) return at;
    at = firstShown(at);
  }
  return null;
}

function firstShown(element: HtmlElement): HtmlNode | null {
  for (const child of childrenOf(element)) if (child.kind === 'element' || child.text.trim() !== '') return child;
  return null;
}

function textIn(element: HtmlElement, levels: number): string {
  let text = '';
  for (const child of childrenOf(element))
    text += child.kind === 'text' ? child.text : levels > 0 ? textIn(child, levels - 1) : '';
  return text;
}
