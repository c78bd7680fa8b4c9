/** Converts paragraphs, headings, lists, tables and sections of an OpenDocument file into the elements of HTML. */
import { append, element, elementWith, type HtmlContent } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import { elementsOf, textOf, type XmlElement } from '../xml/xml-tree.js';
import type { OdfContext } from './odf-context.js';
import { paragraphContent } from './odf-inline.js';
import { tableBlock } from './odf-table.js';

const headingLevelMax = 6;
const shapes = /^(?:frame|custom-shape|g|rect|ellipse|text-box|page-thumbnail)$/;
/** Declarations, and what was deleted. */
const skipped = /^(?:tracked-changes|.*-decls|forms|annotation-end|creator|date|date-string|title|desc)$/;

export function blocksOf(parent: XmlElement, context: OdfContext): HtmlElement[] {
  const blocks: HtmlElement[] = [];
  for (const child of elementsOf(parent)) {
    if (child.local !== 'list') {
      blocks.push(...blocksOfOne(child, context));
      continue;
    }
    const list = readList(child, context);
    const lastItem = blocks.at(-1)?.last;
    // A list can begin with the inner list of an item of the list before it.
    if (list.nested.length > 0 && lastItem?.kind === 'element' && lastItem.name === 'li') append(lastItem, list.nested);
    else blocks.push(...list.nested);
    blocks.push(...list.blocks);
  }
  return blocks;
}

function blocksOfOne(child: XmlElement, context: OdfContext): HtmlElement[] {
  if (child.local === 'p' || child.local === 'h') return paragraphBlocks(child, context);
  if (child.local === 'table') return [tableBlock(child, context)];
  if (child.local === 'annotation') {
    context.notes.addComment(child, context);
    return [];
  }
  if (shapes.test(child.local)) return context.shapeBlocks(child, context);
  if (child.local === 'section' && child.attributes.get('text:display') === 'none') return [];
  return skipped.test(child.local) ? [] : blocksOf(child, context);
}

function paragraphBlocks(paragraph: XmlElement, context: OdfContext): HtmlElement[] {
  const styleName = paragraph.attributes.get('text:style-name');
  const role = context.styles.roleOf(styleName);
  if (role === 'code') return [element('pre', [codeOf(paragraph)])];
  const { inline, blocks, hasText } = paragraphContent(paragraph, context);
  if (!hasText) return blocks;
  return [wrapped(inline, headingLevel(paragraph, context), role), ...blocks];
}

function wrapped(inline: readonly HtmlContent[], level: number | null, role: string): HtmlElement {
  if (level !== null) return element(`h${level}`, inline);
  if (role === 'title') return element('h1', inline);
  if (role === 'subtitle') return element('p', [element('em', inline)]);
  const paragraph = element('p', inline);
  return role === 'quote' ? element('blockquote', [paragraph]) : paragraph;
}

function headingLevel(paragraph: XmlElement, { styles, list }: OdfContext): number | null {
  // Paragraphs in lists can be numbered headings, but then they are `text:h`.
  const level =
    paragraph.local === 'h'
      ? Number(paragraph.attributes.get('text:outline-level') ?? 1)
      : list.level > 0
        ? null
        : styles.outlineLevelOf(paragraph.attributes.get('text:style-name'));
  return level === null || !(level >= 1) ? null : Math.min(Math.floor(level), headingLevelMax);
}

/** The text of a paragraph of code, with its line ends and spaces. */
function codeOf(paragraph: XmlElement): string {
  let text = '';
  for (const child of paragraph.children) {
    if (typeof child === 'string') text += child;
    else if (child.local === 'line-break') text += '\n';
    else if (child.local === 's') text += ' '.repeat(Math.min(Number(child.attributes.get('text:c') ?? 1) || 1, 100));
    else if (child.local === 'tab') text += '\t';
    else text += textOf(child);
  }
  return text;
}

interface ListContent {
  /** Inner lists before the first item that has a text. */
  nested: HtmlElement[];
  blocks: HtmlElement[];
}

function readList(list: XmlElement, context: OdfContext): ListContent {
  const style = list.attributes.get('text:style-name') ?? context.list.style;
  const level = context.list.level + 1;
  const inner = { ...context, list: { style, level } };
  const items = [...elementsOf(list)].filter(({ local }) => local === 'list-item' || local === 'list-header');
  const contents = items
    .map((item) => ({ item, blocks: blocksOf(item, inner) }))
    .filter(({ blocks }) => blocks.length > 0);
  const label = context.styles.labelOf(style, level);
  const isHeading = contents.every(({ blocks }) => blocks.every(({ name }) => /^h[1-6]$/.test(name)));
  const isCellText = context.isInCell && level === 1 && contents.length <= 1;
  // Many programs put every paragraph of a slide, every cell and every numbered heading into a list.
  if (label === 'none' || isHeading || isCellText)
    return { nested: [], blocks: contents.flatMap(({ blocks }) => blocks) };
  return listOf(label, contents, startOf(list, contents[0]?.item, inner), inner);
}

interface ItemContent {
  item: XmlElement;
  blocks: HtmlElement[];
}

function listOf(label: string, contents: readonly ItemContent[], start: number, context: OdfContext): ListContent {
  const nested: HtmlElement[] = [];
  const items: HtmlElement[] = [];
  for (const { blocks } of contents) {
    const last = items.at(-1);
    if (!blocks.every(({ name }) => name === 'ul' || name === 'ol')) items.push(element('li', blocks));
    else if (last === undefined) nested.push(...blocks);
    else append(last, blocks);
  }
  if (items.length === 0) return { nested, blocks: [] };
  context.numbers.set(numberingOf(context), start + items.length - 1);
  const attributes = { start: start === 1 ? null : String(start) };
  return { nested, blocks: [elementWith(label === 'number' ? 'ol' : 'ul', attributes, items)] };
}

function startOf(list: XmlElement, first: XmlElement | undefined, context: OdfContext): number {
  const stated = Number(first?.attributes.get('text:start-value'));
  if (stated > 0) return stated;
  const continues =
    list.attributes.get('text:continue-numbering') === 'true' || list.attributes.has('text:continue-list');
  return continues ? (context.numbers.get(numberingOf(context)) ?? 0) + 1 : 1;
}

function numberingOf({ list }: OdfContext): string {
  return `${list.level} ${list.style ?? ''}`;
}
