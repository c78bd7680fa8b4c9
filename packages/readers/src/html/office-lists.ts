/**
 * Converts lists that Word or Outlook wrote into HTML lists. Office writes each item as a paragraph. The paragraph's style names the list and
 * the level (`mso-list:l0 level2 lfo1`). The bullet or number is text at the beginning of the paragraph.
 */
import { plainNumber } from '../numbering/list-counters.js';
import { levelsOfList } from '../numbering/list.js';
import { attribute, childrenOf, type HtmlElement, type HtmlNode, unlink } from './html-node.js';
import { contentOf, type NestedLists, nestItems } from './nested-lists.js';

const itemStyle = /mso-list:\s*l\d+\s+level(\d)\s/i;
const labelStyle = /mso-list:\s*ignore/i;
/** The label is the first text of an item, within a few elements that set its font. */
const labelLevelsMax = 6;

export function convertOfficeLists(root: HtmlElement, markup: string): void {
  if (labelStyle.test(markup))
    nestItems(root, (element) => levelOf(element) !== null && labelOf(element) !== null, addItem);
}

/** A label that markdown cannot write (`a.`, `1.2`) stays text. */
function addItem(paragraph: HtmlElement, lists: NestedLists): void {
  const [level, label] = [levelOf(paragraph) ?? 0, labelOf(paragraph)];
  if (label !== null) unlink(label);
  const text = label === null ? '' : textIn(label, labelLevelsMax).replace(/\s+/g, ' ').trim();
  const isBullet = /^.?$/u.test(text);
  const content = contentOf(paragraph);
  if (plainNumber(text) !== null) lists.item({ kind: 'ol', level, value: String(plainNumber(text)), content });
  else lists.item({ kind: 'ul', level, content: isBullet ? content : [`${text} `, ...content] });
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
