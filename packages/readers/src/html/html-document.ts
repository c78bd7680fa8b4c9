import { html, parse } from 'parse5';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { attribute, childrenOf, type HtmlElement, type HtmlNode, link, newElement, noAttributes } from './html-node.js';
import { convertOfficeLists } from './office-lists.js';
import { type HtmlLimits, linkedTree, tooDeep, type TreeTypes } from './html-tree.js';

/** The same limit as in browsers. Real pages have less than a hundred levels. */
const depthMax = 512;
const elementsMax = 2_000_000;

export interface HtmlDocument {
  body: HtmlElement | null;
  title: string | null;
  /** The content of the first `<meta>` of each name or property. */
  meta: ReadonlyMap<string, string>;
  language: string;
}

/** Elements that are invisible, or useless without a browser. */
const invisibleNames = new Set(
  'script style template noscript iframe object embed svg canvas audio video map link dialog select datalist textarea button'.split(
    ' ',
  ),
);
/** The elements that name what follows them. A button may be some levels below. */
const headingNames = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt']);
const headingLevelsMax = 3;
const besideMax = 8;
/** The whole text of a link to the heading that it stands in, or from a note back to the text. `\uf0c1` is a chain in an icon font. */
const linkMark = /^(?:[¶#§🔗\uf0c1]|↩\ufe0e?)$/u;
const hiddenStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const blockNames = new Set(
  'address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

/**
 * Parses like a browser: invalid markup is no error. Scripts do not run. `nestLists` builds lists of paragraphs that are items.
 * @throws ExtractionError file_too_large
 */
export function parseHtml(
  markup: string,
  filename: string,
  nestLists: (root: HtmlElement, markup: string) => void = convertOfficeLists,
): HtmlDocument {
  const limits = limitsOf(filename);
  const root = parse<TreeTypes>(markup, { treeAdapter: linkedTree(limits) });
  nestLists(root, markup);
  return survey(root, limits);
}

/** A document of elements that were not parsed from HTML. @throws ExtractionError file_too_large */
export function documentOf(content: readonly HtmlNode[], filename: string): HtmlDocument {
  const root = newElement('#document', html.NS.HTML, noAttributes);
  const body = newElement('body', html.NS.HTML, noAttributes);
  link(body, root, null);
  for (const node of content) link(node, body, null);
  return survey(root, limitsOf(filename));
}

function limitsOf(filename: string): HtmlLimits {
  return {
    depthMax,
    elementsMax,
    refuse: (what) =>
      new ExtractionError(
        'file_too_large',
        `"${filename}" ${what}. Simplify its structure, split it into smaller files, or convert it to plain text.`,
      ),
  };
}

export function isBlock(element: HtmlElement): boolean {
  return blockNames.has(element.name);
}

export function isInvisible(element: HtmlElement): boolean {
  // Pages often hide the text of a formula and show a picture of it. The text is needed.
  return (isNeverShown(element) && !element.holdsMath) || hiddenStyle.test(attribute(element, 'style') ?? '');
}

function isNeverShown(element: HtmlElement): boolean {
  if (invisibleNames.has(element.name)) return element.name !== 'button' || !isHeadingItself(element);
  if (element.name === 'a' && isLinkMark(element)) return true;
  if (element.name === 'input') return attribute(element, 'type')?.toLowerCase() !== 'checkbox';
  return element.attributes.has('hidden') || attribute(element, 'aria-hidden') === 'true';
}

function isLinkMark(link: HtmlElement): boolean {
  const { first, last } = link;
  if (first?.kind !== 'text' || first !== last || attribute(link, 'href')?.startsWith('#') !== true) return false;
  return linkMark.test(first.text.trim());
}

/** Whether a button is all that its heading has, as where a click shows the text below: questions and answers, accordions. */
function isHeadingItself(button: HtmlElement): boolean {
  let inner: HtmlElement = button;
  for (let level = 0; level < headingLevelsMax; level++) {
    const outer: HtmlElement | null = inner.parent;
    if (outer === null || !isAlone(inner, outer)) return false;
    if (headingNames.has(outer.name)) return true;
    inner = outer;
  }
  return false;
}

/** Whether no text stands beside the element. Icons may. */
function isAlone(element: HtmlElement, { first }: HtmlElement): boolean {
  let seen = 0;
  for (let child = first; child !== null; child = child.next) {
    if (child === element) continue;
    seen++;
    const hasText = child.kind === 'text' ? child.text.trim() !== '' : !invisibleNames.has(child.name);
    if (hasText || seen > besideMax) return false;
  }
  return true;
}

/** Walks the finished tree without recursion, because a tree can be deeper than its markup. */
function survey(root: HtmlElement, limits: HtmlLimits): HtmlDocument {
  const meta = new Map<string, string>();
  const found: { body: HtmlElement | null; title: string | null; language: string } = {
    body: null,
    title: null,
    language: '',
  };
  let depth = 0;
  for (let at: HtmlElement | null = root; at !== null;) {
    note(at, found, meta);
    const inner: HtmlElement | null = firstElement(at.first);
    if (inner !== null) {
      depth++;
      if (depth > limits.depthMax) throw tooDeep(limits);
      at = inner;
      continue;
    }
    let next: HtmlElement | null = null;
    while (at !== null && next === null) {
      next = firstElement(at.next);
      if (next === null) {
        at = at.parent;
        depth--;
      }
    }
    at = next;
  }
  return { ...found, meta };
}

function note(
  element: HtmlElement,
  found: { body: HtmlElement | null; title: string | null; language: string },
  meta: Map<string, string>,
): void {
  if (isBlock(element)) markAncestors(element, 'holdsBlock');
  const { name } = element;
  if (name === 'math') markAncestors(element, 'holdsMath');
  else if (name === 'body') found.body ??= element;
  else if (name === 'html') found.language = attribute(element, 'lang') ?? '';
  else if (name === 'title' && element.parent?.name === 'head') found.title ??= textOf(element);
  else if (name === 'meta') {
    const content = attribute(element, 'content');
    for (const key of [attribute(element, 'name'), attribute(element, 'property')])
      if (key !== null && content !== null && !meta.has(key)) meta.set(key, content);
  }
}

/** Stops at an ancestor that is marked already, so all calls together take linear time. */
function markAncestors(element: HtmlElement, mark: 'holdsBlock' | 'holdsMath'): void {
  if (mark === 'holdsMath') element.holdsMath = true;
  for (let above = element.parent; above !== null && !above[mark]; above = above.parent) above[mark] = true;
}

function firstElement(from: HtmlElement['first']): HtmlElement | null {
  for (let node = from; node !== null; node = node.next) if (node.kind === 'element') return node;
  return null;
}

/** The text of the direct children. */
function textOf(element: HtmlElement): string {
  let text = '';
  for (const child of childrenOf(element)) if (child.kind === 'text') text += child.text;
  return text;
}
