/** Prepares a chapter of a book, which is XHTML, for the reader of HTML pages. */
import { attribute, type HtmlElement, type HtmlNode } from '../html/html-node.js';

/** Elements that HTML closes by itself. */
const voidNames = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const emptyTag = /<([a-z][\w:.-]*)([^<>]*)\/>/gi;

/** `<title/>` → `<title></title>`: HTML knows no empty tags, and would take the rest of the chapter for a title. */
export function withoutEmptyTags(xhtml: string): string {
  return xhtml.replace(emptyTag, (tag, name: string, attributes: string) =>
    voidNames.test(name) ? tag : `<${name}${attributes}></${name}>`,
  );
}

/** Removes the addresses of links and pictures within the book, which lead nowhere outside of it. */
export function dropRelativeAddresses(body: HtmlElement | null): void {
  for (let at: HtmlNode | null = body; at !== null; at = nextOf(at, body)) {
    if (at.kind !== 'element') continue;
    for (const name of ['href', 'src']) {
      const address = attribute(at, name);
      if (address === null || /^[a-z][a-z0-9+.-]*:/i.test(address.trim())) continue;
      at.attributes = new Map([...at.attributes].filter(([stated]) => stated !== name));
    }
  }
}

/** The next node in the order of the document, within `root`. */
function nextOf(node: HtmlNode, root: HtmlNode | null): HtmlNode | null {
  if (node.kind === 'element' && node.first !== null) return node.first;
  for (let at: HtmlNode | null = node; at !== null && at !== root; at = at.parent) if (at.next !== null) return at.next;
  return null;
}
