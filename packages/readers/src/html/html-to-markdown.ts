/**
 * Converts a page to GitHub-flavoured markdown in one walk. The limits of the tree and of the writer bound the work and the
 * output for any page.
 */
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { formatBytes } from '@kiln/pdf/format-bytes';
import { renderCode } from './html-code.js';
import { type HtmlDocument, isBlock, isInvisible } from './html-document.js';
import { holdsFormula, renderFormula, renderMath, formulaName } from './html-formula.js';
import { renderImage, renderLink } from './html-links.js';
import { renderDescriptionList, renderItem, renderList } from './html-lists.js';
import { markdownName, renderMarkdown } from './html-markdown.js';
import { renderTable } from './html-tables.js';
import { childrenOf, type HtmlElement, type HtmlNode } from './html-node.js';
import type { Mark } from './line-buffer.js';
import { MarkdownWriter, type WriterOptions } from './markdown-writer.js';
import { type RenderContext, renderIndented, type Renderer } from './render-context.js';

/** The number of a note may be in a link. */
const raisedLevelsMax = 5;

/** `charactersBefore` is the length of the pages before this one: the limit is for all of them together. */
export function toMarkdown(
  document: HtmlDocument,
  filename: string,
  charactersMax: number,
  charactersBefore = 0,
): string {
  if (document.body === null) return '';
  const options: WriterOptions = {
    isCell: false,
    hasFormulas: holdsFormula(document.body),
    charactersMax: charactersMax - charactersBefore,
    tableCharacters: { used: 0 },
    tooLong: () =>
      new ExtractionError(
        'file_too_large',
        `"${filename}" becomes more than ${formatBytes(charactersMax)} of markdown. Split it into smaller files.`,
      ),
  };
  const writer = new MarkdownWriter(options);
  const place = { indents: 0, isInList: false, isInCell: false, isInLink: false };
  renderChildren(document.body, { writer, renderChildren, renderElement, ...place });
  const markdown = writer.finish();
  return markdown === '' ? '' : `${markdown}\n`;
}

function renderChildren(element: HtmlElement, context: RenderContext): void {
  for (const child of childrenOf(element)) {
    if (child.kind === 'text') context.writer.text(child.text);
    else if (!isInvisible(child)) renderElement(child, context);
  }
}

const marked =
  (mark: Mark): Renderer =>
  (element, context) => {
    context.writer.open(mark);
    renderChildren(element, context);
    context.writer.close(mark);
  };

const heading: Renderer = (element, context) => {
  context.writer.heading(Number(element.name.slice(1)), () => renderChildren(withoutBold(element), context));
};

/** A heading is bold by itself. Only a part of it that is bold is marked. */
function withoutBold(element: HtmlElement): HtmlElement {
  const content = [...childrenOf(element)].filter((node) => node.kind === 'element' || node.text.trim() !== '');
  const [only] = content;
  const isBold = only?.kind === 'element' && (only.name === 'b' || only.name === 'strong');
  return isBold && content.length === 1 ? only : element;
}

/** `10<sup>6</sup>` is not 106. */
const raised: Renderer = (element, context) => {
  if (beginsWithNumber(element)) context.writer.raise();
  renderChildren(element, context);
};

function beginsWithNumber(element: HtmlElement): boolean {
  let at: HtmlNode | null = element;
  for (let level = 0; level < raisedLevelsMax && at?.kind === 'element'; level++) at = at.first;
  return at?.kind === 'text' && /^\s*[+\-\u2212\u2013]?\p{Nd}/u.test(at.text);
}

const rule: Renderer = (_element, { writer, isInCell }) => {
  if (isInCell) writer.endBlock();
  else writer.finished('---');
};

/** Browsers write the marks of a quotation within a line. */
const quotation: Renderer = (element, context) => {
  context.writer.text('“');
  renderChildren(element, context);
  context.writer.text('”');
};

const quote: Renderer = (element, context) => {
  context.writer.endBlock();
  if (context.isInCell) renderChildren(element, context);
  else renderIndented('> ', null, context, false, (inner) => renderChildren(element, inner));
  context.writer.endBlock();
};

const renderers: ReadonlyMap<string, Renderer> = new Map<string, Renderer>([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name): [string, Renderer] => [name, heading]),
  ['b', marked('**')],
  ['strong', marked('**')],
  ['i', marked('*')],
  ['em', marked('*')],
  ['s', marked('~~')],
  ['del', marked('~~')],
  ['strike', marked('~~')],
  ['sup', raised],
  ['a', renderLink],
  ['img', renderImage],
  ['br', (_element, { writer }) => writer.lineBreak()],
  ['hr', rule],
  ['q', quotation],
  ['blockquote', quote],
  ['ul', renderList],
  ['ol', renderList],
  ['menu', renderList],
  ['dir', renderList],
  ['li', renderItem],
  ['dl', renderDescriptionList],
  ['pre', renderCode],
  ['code', renderCode],
  ['table', renderTable],
  [formulaName, renderFormula],
  ['math', renderMath],
  [markdownName, renderMarkdown],
]);

function renderElement(element: HtmlElement, context: RenderContext): void {
  const renderer = renderers.get(element.name);
  if (renderer !== undefined) return renderer(element, context);
  if (!isBlock(element)) return renderChildren(element, context);
  context.writer.endBlock();
  renderChildren(element, context);
  context.writer.endBlock();
}
