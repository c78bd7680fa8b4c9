/**
 * The elements that Unstructured finds in a document (https://docs.unstructured.io/api-reference/partition/document-elements), as
 * markdown with pages. Their text is escaped like that of any document. Tables come as HTML, which is read as HTML documents are.
 */
import { element } from '@kiln/readers/html/build-html';
import { documentOf, parseHtml } from '@kiln/readers/html/html-document';
import { type HtmlElement, unlink } from '@kiln/readers/html/html-node';
import { toMarkdown } from '@kiln/readers/html/html-to-markdown';
import { NestedLists } from '@kiln/readers/html/nested-lists';
import { PagedText } from '@kiln/pdf/markdown/paged-text';
import { defaultLimits } from '@kiln/readers/limits';
import type { Finding } from '@kiln/readers/write-files';
import { recordOf } from '@kiln/model-clients/http/record-of';
import { answerFault } from './answer-fault.js';

interface Element {
  type: string;
  text: string;
  /** From 0. Null if it is unknown. */
  depth: number | null;
  page: number | null;
  html: string | null;
}

/** Running heads and feet repeat on each page and would cut its text. */
const LEFT_OUT: ReadonlySet<string> = new Set(['Header', 'Footer', 'PageNumber', 'PageBreak']);
const HEADING_LEVELS = 6;
const LIST_LEVELS = 16;
/** A longer table is written as its text: it is parsed in one piece, and meanwhile this process does nothing else. */
const TABLE_CHARACTERS_MAX = 1_048_576;

/** Values that are not elements are left out. Other work of the process runs between the pages. @throws ExtractionError file_too_large */
export async function findElements(answer: unknown, filename: string, charactersMax: number): Promise<Finding> {
  if (!Array.isArray(answer)) throw answerFault('malformed', new Error('the answer is no list of elements'));
  const elements = answer.flatMap(elementOf);
  const hasPages = elements.some(({ page }) => page !== null);
  const text = new PagedText();
  for (const [index, found] of pagesOf(elements).entries()) {
    const document = documentOf(blocksOf(found, filename), filename);
    text.add(index + 1, toMarkdown(document, filename, charactersMax, text.characters).trimEnd());
    await new Promise((resolve) => setImmediate(resolve));
  }
  const pages = hasPages ? text.pages : null;
  const { markdown } = text;
  return { markdown, pages, pageCount: pages?.length ?? null, title: null, author: null, language: null, details: {} };
}

function elementOf(value: unknown): Element[] {
  const { type, text, metadata } = recordOf(value);
  if (typeof type !== 'string' || typeof text !== 'string' || LEFT_OUT.has(type)) return [];
  const { category_depth: depth, page_number: page, text_as_html: html } = recordOf(metadata);
  return [
    {
      type,
      text,
      depth: isCount(depth) ? depth : null,
      page: isCount(page) && page >= 1 && page <= defaultLimits.pagesMax ? page : null,
      html: typeof html === 'string' && html.length <= TABLE_CHARACTERS_MAX ? html : null,
    },
  ];
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** The elements of each page, in the order in which they were found: one without a page, or of an earlier one, belongs to the page before it. */
function pagesOf(elements: readonly Element[]): Element[][] {
  const pages: Element[][] = [[]];
  for (const found of elements) {
    while (found.page !== null && pages.length < found.page) pages.push([]);
    pages.at(-1)?.push(found);
  }
  return pages;
}

function blocksOf(elements: readonly Element[], filename: string): HtmlElement[] {
  const blocks: HtmlElement[] = [];
  const lists = new NestedLists(blocks);
  for (const found of elements) {
    if (found.type === 'ListItem')
      lists.item({ kind: 'ul', level: Math.min(found.depth ?? 0, LIST_LEVELS), start: null, content: [found.text] });
    else lists.block(blockOf(found, filename));
  }
  return blocks;
}

function blockOf({ type, text, depth, html }: Element, filename: string): HtmlElement {
  if (type === 'Title') return element(`h${Math.min((depth ?? 0) + 1, HEADING_LEVELS)}`, [text]);
  if (type === 'CodeSnippet') return element('pre', [text]);
  return (html === null ? null : tableOf(html, filename)) ?? element('p', [text]);
}

/** Null if there is no table in it. */
function tableOf(html: string, filename: string): HtmlElement | null {
  const { body } = parseHtml(html, filename);
  if (body === null || !body.holdsBlock) return null;
  unlink(body);
  return body;
}
