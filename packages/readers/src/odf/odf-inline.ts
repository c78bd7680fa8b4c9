/** The content of a paragraph of an OpenDocument file: text, marks, links, notes, and the frames that are anchored in it. */
import { append, element, elementWith, type HtmlContent } from '../html/build-html.js';
import { onlyFormula } from '../html/html-formula.js';
import type { HtmlElement } from '../html/html-node.js';
import { childOf, textOf, type XmlElement } from '../xml/xml-tree.js';
import type { OdfContext } from './odf-context.js';

/** `<text:s text:c="…"/>` means several spaces. One is enough, because white space collapses. */
const skipped = new Set(['tracked-changes', 'ruby-text', 'annotation-end', 'bibliography-mark-source']);

export interface ParagraphContent {
  inline: HtmlContent[];
  /** Frames, which follow the paragraph. */
  blocks: HtmlElement[];
  hasText: boolean;
}

export function paragraphContent(paragraph: XmlElement, context: OdfContext): ParagraphContent {
  const content: ParagraphContent = { inline: [], blocks: [], hasText: false };
  addChildren(paragraph, content.inline, content, context);
  return content;
}

function addChildren(parent: XmlElement, inline: HtmlContent[], content: ParagraphContent, context: OdfContext): void {
  for (const child of parent.children) {
    if (typeof child !== 'string') addElement(child, inline, content, context);
    else {
      if (child.trim() !== '') content.hasText = true;
      inline.push(child);
    }
  }
}

function addElement(child: XmlElement, inline: HtmlContent[], content: ParagraphContent, context: OdfContext): void {
  switch (child.local) {
    case 's':
    case 'tab':
      inline.push(' ');
      return;
    case 'line-break':
      inline.push(element('br'));
      return;
    case 'span':
      return addSpan(child, inline, content, context);
    case 'a':
      return addLink(child, inline, content, context);
    case 'note':
      content.hasText = true;
      inline.push(
        ` [${context.notes.add(childOf(child, 'note-body'), textOf(childOf(child, 'note-citation')), context)}]`,
      );
      return;
    case 'annotation':
      context.notes.addComment(child, context);
      return;
    case 'frame':
    case 'custom-shape':
    case 'g':
    case 'rect':
    case 'ellipse':
      return addFrame(context.shapeBlocks(child, context), inline, content);
    default:
      if (!skipped.has(child.local)) addChildren(child, inline, content, context);
  }
}

/** A formula is a part of the text around it. */
function addFrame(blocks: readonly HtmlElement[], inline: HtmlContent[], content: ParagraphContent): void {
  const formula = onlyFormula(blocks);
  if (formula === null) content.blocks.push(...blocks);
  else {
    content.hasText = true;
    inline.push(formula);
  }
}

function addSpan(span: XmlElement, inline: HtmlContent[], content: ParagraphContent, context: OdfContext): void {
  const marks = context.styles.marksOf(span.attributes.get('text:style-name'));
  if (marks.hidden) return;
  const names = [
    ...(marks.bold ? ['strong'] : []),
    ...(marks.italic ? ['em'] : []),
    ...(marks.struck ? ['s'] : []),
    ...(marks.raised ? ['sup'] : []),
  ];
  if (names.length === 0) return addChildren(span, inline, content, context);
  const inner: HtmlContent[] = [];
  addChildren(span, inner, content, context);
  let marked = inner;
  for (const name of names.toReversed()) marked = [element(name, marked)];
  inline.push(...marked);
}

function addLink(link: XmlElement, inline: HtmlContent[], content: ParagraphContent, context: OdfContext): void {
  const anchor = elementWith('a', { href: link.attributes.get('xlink:href') ?? null });
  const inner: HtmlContent[] = [];
  addChildren(link, inner, content, context);
  append(anchor, inner);
  inline.push(anchor);
}
