/** Converts paragraphs, headings, lists, tables and sections of an OpenDocument file into the elements of HTML. */
import { append, element, type HtmlContent } from '../html/build-html.js';
import { displayed } from '../html/html-formula.js';
import { childrenOf, type HtmlElement, unlink } from '../html/html-node.js';
import { elementsOf, type XmlElement } from '../xml/xml-tree.js';
import type { OdfContext } from './odf-context.js';
import { paragraphContent } from './odf-inline.js';
import { readList } from './odf-lists.js';
import { tableBlock } from './odf-table.js';

const headingLevelMax = 6;
const shapes = /^(?:frame|custom-shape|g|rect|ellipse|text-box|page-thumbnail)$/;
/** Declarations and deleted text are skipped. */
const skipped = /^(?:tracked-changes|.*-decls|forms|annotation-end|creator|date|date-string|title|desc)$/;

export function blocksOf(parent: XmlElement, context: OdfContext): HtmlElement[] {
  const blocks: HtmlElement[] = [];
  for (const child of elementsOf(parent)) {
    if (child.local !== 'list') {
      for (const block of blocksOfOne(child, context)) addBlock(blocks, block);
      continue;
    }
    const list = readList(child, context);
    const lastItem = blocks.at(-1)?.last;
    // A list can begin with an inner list that belongs to the last item of the list before.
    if (list.nested.length > 0 && lastItem?.kind === 'element' && lastItem.name === 'li') append(lastItem, list.nested);
    else blocks.push(...list.nested);
    blocks.push(...list.blocks);
  }
  return blocks;
}

/** Each line of code, and each paragraph of a quotation, is a paragraph of its own in the file. */
function addBlock(blocks: HtmlElement[], block: HtmlElement): void {
  const last = blocks.at(-1);
  if (last?.name !== block.name || (block.name !== 'pre' && block.name !== 'blockquote')) {
    blocks.push(block);
    return;
  }
  const content = [...childrenOf(block)];
  for (const node of content) unlink(node);
  append(last, block.name === 'pre' ? ['\n', ...content] : content);
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
  const level = headingLevel(paragraph, context);
  const label = level === null ? '' : headingLabel(paragraph, level, context);
  return [wrapped(label === '' ? inline : [`${label} `, ...inline], level, role), ...blocks];
}

/** The number that the program shows before a heading. Programs number only paragraphs that are marked as headings. */
function headingLabel(paragraph: XmlElement, level: number, { styles, headings, list }: OdfContext): string {
  if (paragraph.local !== 'h' || paragraph.attributes.get('text:is-list-header') === 'true') return '';
  const numbering = styles.numberingOf(list.level === 0 ? null : (list.style ?? ''));
  return numbering === null ? '' : headings.next(numbering, (list.level === 0 ? level : list.level) - 1);
}

function wrapped(inline: readonly HtmlContent[], level: number | null, role: string): HtmlElement {
  if (level !== null) return element(`h${level}`, inline);
  if (role === 'title') return element('h1', inline);
  if (role === 'subtitle') return element('p', [element('em', inline)]);
  const paragraph = element('p', displayed(inline));
  return role === 'quote' ? element('blockquote', [paragraph]) : paragraph;
}

function headingLevel(paragraph: XmlElement, { styles, list }: OdfContext): number | null {
  // A numbered heading in a list is a `text:h`. Other paragraphs are items.
  const level =
    paragraph.local === 'h'
      ? Number(paragraph.attributes.get('text:outline-level') ?? 1)
      : list.level > 0
        ? null
        : styles.outlineLevelOf(paragraph.attributes.get('text:style-name'));
  return level === null || !(level >= 1) ? null : Math.min(Math.floor(level), headingLevelMax);
}

/** The text of a paragraph of code, with its line ends and spaces. */
function codeOf(element: XmlElement): string {
  let text = '';
  for (const child of element.children) {
    if (typeof child === 'string') text += child;
    else if (child.local === 'line-break') text += '\n';
    else if (child.local === 's') text += ' '.repeat(Math.min(Number(child.attributes.get('text:c') ?? 1) || 1, 100));
    else if (child.local === 'tab') text += '\t';
    else text += codeOf(child);
  }
  return text;
}
