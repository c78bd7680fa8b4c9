import { attribute, type HtmlElement, type HtmlNode } from '../html/html-node.js';

/** Removes the addresses of links and pictures within the book, because they lead nowhere outside of it. */
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
