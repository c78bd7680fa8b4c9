/** Converts the lists of an OpenDocument file into those of HTML. */
import { append, element, elementWith } from '../html/build-html.js';
import { elementsOf as htmlElementsOf, type HtmlElement, link, newText } from '../html/html-node.js';
import { labelOf, plainNumber } from '../numbering/list-counters.js';
import { levelsOfList } from '../numbering/list.js';
import { elementsOf, type XmlElement } from '../xml/xml-tree.js';
import type { OdfContext } from './odf-context.js';

interface ListContent {
  /** Inner lists that precede the first item with a text. */
  nested: HtmlElement[];
  blocks: HtmlElement[];
}

interface ItemContent {
  blocks: HtmlElement[];
  /** The label that the program shows before the item. Empty for bullets. */
  label: string;
}

export function readList(list: XmlElement, context: OdfContext): ListContent {
  const style = list.attributes.get('text:style-name') ?? context.list.style;
  const level = context.list.level + 1;
  const inner = { ...context, list: { ...context.list, style, level } };
  const kind = context.styles.labelOf(style, level);
  const items = [...elementsOf(list)].filter(({ local }) => local === 'list-item' || local === 'list-header');
  const start = startOf(list, items.find(hasText), inner);
  const contents = itemContents(items, start, continuesAnother(list) ? start - 1 : start, inner);
  const isHeading = contents.every(({ blocks }) => blocks.every(({ name }) => /^h[1-6]$/.test(name)));
  const isCellText = context.isInCell && level === 1 && contents.length <= 1;
  // Many programs put every paragraph of a slide, every cell and every numbered heading into a list.
  if (kind === 'none' || isHeading || isCellText)
    return { nested: [], blocks: contents.flatMap(({ blocks }) => blocks) };
  return listOf(kind === 'number', contents, start, inner);
}

/** `before` is the number of the item before the first one. Inner lists at the beginning belong to that item. */
function itemContents(items: readonly XmlElement[], start: number, before: number, context: OdfContext): ItemContent[] {
  const { styles, list } = context;
  const numbering = styles.numberingOf(list.style ?? '');
  const outer = list.numbers.slice(0, levelsOfList);
  let number = start - 1;
  return items
    .map((item) => {
      const isNumbered = hasText(item);
      if (isNumbered) number++;
      const numbers = [...outer, number < start ? before : number];
      const label = isNumbered && numbering !== null ? labelOf(numbering, list.level - 1, numbers) : '';
      return { label, blocks: context.blocks(item, { ...context, list: { ...list, numbers } }) };
    })
    .filter(({ blocks }) => blocks.length > 0);
}

/** Whether the item holds more than inner lists. */
function hasText(item: XmlElement): boolean {
  for (const child of elementsOf(item))
    if (child.local !== 'list' && child.children.length > 0) return item.local === 'list-item';
  return false;
}

function listOf(
  isNumbered: boolean,
  contents: readonly ItemContent[],
  start: number,
  context: OdfContext,
): ListContent {
  const nested: HtmlElement[] = [];
  const items: HtmlElement[] = [];
  // A label that markdown cannot write (`1.2`, `(a)`) becomes text.
  const hasLabels = isNumbered && contents.some(({ label }) => label !== '' && plainNumber(label) === null);
  for (const { blocks, label } of contents) {
    const last = items.at(-1);
    if (!blocks.every(({ name }) => name === 'ul' || name === 'ol'))
      items.push(hasLabels ? labelled(element('li', blocks), label) : element('li', blocks));
    else if (last === undefined) nested.push(...blocks);
    else append(last, blocks);
  }
  if (items.length === 0) return { nested, blocks: [] };
  context.numbers.set(numberingOf(context), start + items.length - 1);
  if (!isNumbered || hasLabels) return { nested, blocks: [element('ul', items)] };
  return { nested, blocks: [elementWith('ol', { start: start === 1 ? null : String(start) }, items)] };
}

function labelled(item: HtmlElement, label: string): HtmlElement {
  const [first] = htmlElementsOf(item);
  const place = first?.name === 'p' ? first : item;
  if (label !== '') link(newText(`${label} `), place, place.first);
  return item;
}

function startOf(list: XmlElement, first: XmlElement | undefined, context: OdfContext): number {
  const stated = Number(first?.attributes.get('text:start-value'));
  if (stated > 0) return stated;
  const last = continuesAnother(list) ? context.numbers.get(numberingOf(context)) : undefined;
  const { style, level } = context.list;
  return last === undefined ? (context.styles.numberingOf(style ?? '')?.levels.get(level - 1)?.start ?? 1) : last + 1;
}

function continuesAnother(list: XmlElement): boolean {
  return list.attributes.get('text:continue-numbering') === 'true' || list.attributes.has('text:continue-list');
}

function numberingOf({ list }: OdfContext): string {
  return `${list.level} ${list.style ?? ''}`;
}
